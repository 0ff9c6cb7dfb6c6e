import {
  createMemoryHistory,
  createRouter,
  createWebHistory,
  type RouteLocation,
  type RouteRecordRaw,
} from 'vue-router'
import ArticleScreen from './screens/ArticleScreen.vue'
import ArticlesScreen from './screens/ArticlesScreen.vue'
import BirthdaysScreen from './screens/BirthdaysScreen.vue'
import EditArticleScreen from './screens/EditArticleScreen.vue'
import FeedScreen from './screens/FeedScreen.vue'
import GalleryScreen from './screens/GalleryScreen.vue'
import GraphQLScreen from './screens/GraphQLScreen.vue'
import HomeScreen from './screens/HomeScreen.vue'
import NewArticleScreen from './screens/NewArticleScreen.vue'
import NotFoundScreen from './screens/NotFoundScreen.vue'
import ProfileScreen from './screens/ProfileScreen.vue'
import SignInScreen from './screens/SignInScreen.vue'
import BoardScreen from './tracker/BoardScreen.vue'
import IssueScreen from './tracker/IssueScreen.vue'
import IssuesScreen from './tracker/IssuesScreen.vue'
import PeopleScreen from './tracker/PeopleScreen.vue'

const routes: readonly RouteRecordRaw[] = [
  { path: '/', component: BoardScreen },
  { path: '/issues', component: IssuesScreen },
  { path: '/issues/:id(\\d+)', component: IssueScreen, props: idOf },
  { path: '/people', component: PeopleScreen },
  { path: '/journal', component: HomeScreen },
  { path: '/articles', component: ArticlesScreen, props: filtersOf },
  { path: '/articles/new', component: NewArticleScreen },
  { path: '/articles/:id(\\d+)', component: ArticleScreen, props: idOf },
  { path: '/articles/:id(\\d+)/edit', component: EditArticleScreen, props: idOf },
  { path: '/feed', component: FeedScreen },
  { path: '/birthdays', component: BirthdaysScreen },
  { path: '/gallery', component: GalleryScreen },
  { path: '/profile', component: ProfileScreen },
  { path: '/graphql', component: GraphQLScreen },
  { path: '/sign-in', component: SignInScreen },
  { path: '/:rest(.*)', name: 'not-found', component: NotFoundScreen },
]

export function createJournalRouter(base: string) {
  return createRouter({
    history: import.meta.env.SSR ? createMemoryHistory(base) : createWebHistory(base),
    routes,
    // Scrolls a new screen to its top; Back and Forward restore the position.
    async scrollBehavior(to, from, saved) {
      if (saved === null) return to.path === from.path ? false : { top: 0 }
      await isAsHighAs(saved.top)
      return saved
    },
  })
}

/** Waits until the page can be scrolled to a place: a screen that suspends is rendered later. Gives up after a second. */
async function isAsHighAs(top: number): Promise<void> {
  const isHigh = () => document.documentElement.scrollHeight >= top + innerHeight
  for (let frame = 0; frame < 60 && !isHigh(); frame++) await new Promise(requestAnimationFrame)
}

function idOf({ params }: RouteLocation) {
  return { id: Number(params['id']) }
}

function filtersOf({ query: { q, author } }: RouteLocation) {
  return { q: typeof q === 'string' && q !== '' ? q : undefined, author: Number(author) || undefined }
}
