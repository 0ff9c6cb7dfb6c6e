import { from } from '@selfsame/core/maintained'
import { isWanted, type IssueFilter } from '../../api.js'
import { Issue } from '../../issue.js'
import { byUrgency } from './words.js'

/** The issues of one column of the board, the most urgent first. A change of an issue is told to its columns only. */
export const columnOfBoard = from(Issue)
  .where((issue, filter: IssueFilter) => isWanted(issue, filter))
  .orderBy(byUrgency)

/** How many issues a person has that are not done. */
export const openIssuesOf = from(Issue)
  .where(
    (issue, { user }: { readonly user: number }) => issue.assignee?.id === user && issue.state !== 'done',
  )
  .count()
