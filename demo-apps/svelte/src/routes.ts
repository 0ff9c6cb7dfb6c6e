import type { Component } from 'svelte'
import ArticleScreen from './screens/ArticleScreen.svelte'
import ArticlesScreen from './screens/ArticlesScreen.svelte'
import BirthdaysScreen from './screens/BirthdaysScreen.svelte'
import EditArticleScreen from './screens/EditArticleScreen.svelte'
import FeedScreen from './screens/FeedScreen.svelte'
import GalleryScreen from './screens/GalleryScreen.svelte'
import GraphQLScreen from './screens/GraphQLScreen.svelte'
import HomeScreen from './screens/HomeScreen.svelte'
import NewArticleScreen from './screens/NewArticleScreen.svelte'
import NotFoundScreen from './screens/NotFoundScreen.svelte'
import ProfileScreen from './screens/ProfileScreen.svelte'
import SignInScreen from './screens/SignInScreen.svelte'

interface Found {
  readonly Screen: Component
  readonly isFound: boolean
}

interface FoundArticle {
  /** A screen of one article. */
  readonly Screen: Component<{ readonly id: number }>
  readonly isFound: boolean
  readonly id: number
}

const screens: Readonly<Record<string, Component>> = {
  '/': HomeScreen,
  '/articles': ArticlesScreen,
  '/articles/new': NewArticleScreen,
  '/feed': FeedScreen,
  '/birthdays': BirthdaysScreen,
  '/gallery': GalleryScreen,
  '/profile': ProfileScreen,
  '/graphql': GraphQLScreen,
  '/sign-in': SignInScreen,
}

/** The screen of a path below the base. */
export function findScreen(path: string): Found | FoundArticle {
  const Screen = screens[path]
  if (Screen !== undefined) return { Screen, isFound: true }
  const [, id, edit] = /^\/articles\/(\d+)(\/edit)?$/.exec(path) ?? []
  if (id === undefined) return { Screen: NotFoundScreen, isFound: false }
  return { Screen: edit === undefined ? ArticleScreen : EditArticleScreen, id: Number(id), isFound: true }
}
