export * from './api.js'
export { birthdaysWithin, today } from './birthdays.js'
export type { UpcomingBirthday } from './birthdays.js'
export { formatCount, formatDate, formatDaysAway } from './format.js'
export { announce, notices } from './notices.js'
export type { NoticeText } from './notices.js'
export { problemOf } from './problems.js'
export type { Problem } from './problems.js'
export { cookieOf, initOf, tokenOf } from './session.js'
export { operateBoard } from './tracker/board.js'
export {
  changeIssue,
  commentOn,
  createIssue,
  deleteIssue,
  moveIssue,
  numberOf,
  renameUser,
  waitingText,
} from './tracker/changes.js'
export { fetchChoices } from './tracker/choices.js'
export { dialogs } from './tracker/dialogs.js'
export type { DialogName } from './tracker/dialogs.js'
export { fieldsOf, hasLabel, selectsOf, toggleLabel } from './tracker/fields.js'
export type { IssueField, IssueSelect, SelectOption } from './tracker/fields.js'
export { inOrder, inState, issueFilterOf, issueOrderOf } from './tracker/filters.js'
export type { IssueOrder } from './tracker/filters.js'
export { listenForShortcuts, optionsOfPalette, shortcuts } from './tracker/keyboard.js'
export type { Command } from './tracker/keyboard.js'
export { middlewareOfPage } from './tracker/middleware.js'
export { moveBetweenScreens } from './tracker/motion.js'
export { columnOfBoard, openIssuesOf } from './tracker/queries.js'
export {
  deedOf,
  iconOf,
  issuePriorities,
  issueStates,
  portraitOf,
  priorityOf,
  stateOf,
} from './tracker/words.js'
export type { Choice } from './tracker/words.js'
export { Article, ArticleSummary } from '../article.js'
export { Avatar, Birthday, Comment, FeedLink, FeedPost, NewsItem } from '../records.js'
export { Activity, Issue, Label, Presence } from '../issue.js'
export type { IssuePriority, IssueState } from '../issue.js'
export { User } from '../user.js'
export { activityPageSize, isWanted, pageSize } from '../api.js'
export type { IssueFilter } from '../api.js'
