import type { RouteObject } from 'react-router'
import { ArticleScreen } from './screens/ArticleScreen.js'
import { ArticlesScreen } from './screens/ArticlesScreen.js'
import { BirthdaysScreen } from './screens/BirthdaysScreen.js'
import { EditArticleScreen } from './screens/EditArticleScreen.js'
import { FeedScreen } from './screens/FeedScreen.js'
import { GalleryScreen } from './screens/GalleryScreen.js'
import { GraphQLScreen } from './screens/GraphQLScreen.js'
import { HomeScreen } from './screens/HomeScreen.js'
import { NewArticleScreen } from './screens/NewArticleScreen.js'
import { NotFoundScreen } from './screens/NotFoundScreen.js'
import { ProfileScreen } from './screens/ProfileScreen.js'
import { SignInScreen } from './screens/SignInScreen.js'
import { BoardScreen } from './tracker/BoardScreen.js'
import { IssueScreen } from './tracker/IssueScreen.js'
import { IssuesScreen } from './tracker/IssuesScreen.js'
import { PeopleScreen } from './tracker/PeopleScreen.js'

export const routes: RouteObject[] = [
  { path: '/', element: <BoardScreen /> },
  { path: '/issues', element: <IssuesScreen /> },
  { path: '/issues/:id', element: <IssueScreen /> },
  { path: '/people', element: <PeopleScreen /> },
  { path: '/journal', element: <HomeScreen /> },
  { path: '/articles', element: <ArticlesScreen /> },
  { path: '/articles/new', element: <NewArticleScreen /> },
  { path: '/articles/:id', element: <ArticleScreen /> },
  { path: '/articles/:id/edit', element: <EditArticleScreen /> },
  { path: '/feed', element: <FeedScreen /> },
  { path: '/birthdays', element: <BirthdaysScreen /> },
  { path: '/gallery', element: <GalleryScreen /> },
  { path: '/profile', element: <ProfileScreen /> },
  { path: '/graphql', element: <GraphQLScreen /> },
  { path: '/sign-in', element: <SignInScreen /> },
  { path: '*', element: <NotFoundScreen /> },
]
