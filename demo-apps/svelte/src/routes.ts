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
import BoardScreen from './tracker/BoardScreen.svelte'
import IssueScreen from './tracker/IssueScreen.svelte'
import IssuesScreen from './tracker/IssuesScreen.svelte'
import PeopleScreen from './tracker/PeopleScreen.svelte'

interface Found {
  readonly Screen: Component
  readonly isFound: boolean
}

interface FoundRecord {
  /** A screen of one article or issue. */
  readonly Screen: Component<{ readonly id: number }>
  readonly isFound: boolean
  readonly id: number
}

const screens: Readonly<Record<string, Component>> = {
  '/': BoardScreen,
  '/issues': IssuesScreen,
  '/people': PeopleScreen,
  '/journal': HomeScreen,
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
export function findScreen(path: string): Found | FoundRecord {
  const Screen = screens[path]
  if (Screen !== undefined) return { Screen, isFound: true }
  const [, kind, id, edit] = /^\/(articles|issues)\/(\d+)(\/edit)?$/.exec(path) ?? []
  if (kind === 'articles') {
    return { Screen: edit === undefined ? ArticleScreen : EditArticleScreen, id: Number(id), isFound: true }
  }
  if (kind === 'issues' && edit === undefined) return { Screen: IssueScreen, id: Number(id), isFound: true }
  return { Screen: NotFoundScreen, isFound: false }
}
