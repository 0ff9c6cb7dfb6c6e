import {
  formatCount,
  inOrder,
  issueFilterOf,
  issueOrderOf,
  issueResource,
} from '@selfsame/demo-shared/application'
import { AsyncBoundary, useSuspense } from '@selfsame/react'
import { useDeferredValue } from 'react'
import { useSearchParams } from 'react-router'
import { Heading } from '../parts/Heading.js'
import { Failed } from '../parts/Problem.js'
import { NewIssueButton } from './BoardScreen.js'
import { IssueFilters } from './IssueFilters.js'
import { IssueRow } from './IssueParts.js'
import { LoadingIssueRows } from './LoadingIssues.js'

export function IssuesScreen() {
  const [params] = useSearchParams()
  // The last list stays on screen until the next one has loaded.
  const shown = useDeferredValue(params)
  return (
    <>
      <div className="screen-head">
        <Heading>Issues</Heading>
        <IssueFilters filter={issueFilterOf(params)} order={issueOrderOf(params)} />
        <NewIssueButton />
      </div>
      <AsyncBoundary fallback={<LoadingIssueRows />} errorFallback={Failed}>
        <IssueList params={shown} isOld={shown !== params} />
      </AsyncBoundary>
    </>
  )
}

function IssueList({ params, isOld }: { readonly params: URLSearchParams; readonly isOld: boolean }) {
  const issues = useSuspense(issueResource.getList, issueFilterOf(params))
  if (issues.length === 0) return <p className="empty">No issue matches these filters.</p>
  return (
    <>
      <p className="facts">{formatCount(issues.length, 'issue')}</p>
      <ul aria-label="Issues" aria-busy={isOld} className={isOld ? 'list dimmed' : 'list'}>
        {inOrder(issues, issueOrderOf(params)).map((issue) => (
          <IssueRow key={issue.id} issue={issue} />
        ))}
      </ul>
    </>
  )
}
