import {
  columnOfBoard,
  dialogs,
  inState,
  Issue,
  issueFilterOf,
  issueResource,
  issueStates,
  moveIssue,
  operateBoard,
} from '@selfsame/demo-shared/application'
import type { Choice, IssueFilter, IssueState } from '@selfsame/demo-shared/application'
import { AsyncBoundary, useController, useQuery, useSuspense } from '@selfsame/react'
import type { ErrorFallbackProps } from '@selfsame/react'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { Heading } from '../parts/Heading.js'
import { Problem } from '../parts/Problem.js'
import { IssueFilters } from './IssueFilters.js'
import { IssueCard } from './IssueParts.js'
import { LoadingBoard } from './LoadingIssues.js'

export function BoardScreen() {
  const [params] = useSearchParams()
  const filter = issueFilterOf(params)
  return (
    <>
      <div className="screen-head">
        <Heading>Board</Heading>
        <IssueFilters filter={filter} />
        <NewIssueButton />
      </div>
      <AsyncBoundary fallback={<LoadingBoard />} errorFallback={BoardFailed}>
        <Board filter={filter} />
      </AsyncBoundary>
    </>
  )
}

/** Takes the place of the board, so that nothing beside it moves. */
function BoardFailed({ error, reset }: ErrorFallbackProps) {
  return (
    <div className="board-failed">
      <Problem error={error} reset={reset} />
    </div>
  )
}

export function NewIssueButton() {
  return (
    <button
      type="button"
      className="button primary"
      data-icon="plus"
      onClick={() => dialogs.open('new-issue')}
    >
      New issue
    </button>
  )
}

/** One request for all issues. The columns are queries of the cache, each of which renders when its own issues change. */
function Board({ filter }: { readonly filter: IssueFilter }) {
  useSuspense(issueResource.getList)
  const controller = useController()
  const board = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (board.current === null) return
    return operateBoard(board.current, {
      move(id, state) {
        const issue = controller.get(Issue, { id })
        if (issue !== undefined) moveIssue(controller, issue, state)
      },
    })
  }, [controller])
  return (
    <div ref={board} className="board">
      {issueStates.map((state) => (
        <Column key={state.value} state={state} filter={filter} />
      ))}
    </div>
  )
}

interface ColumnProps {
  readonly state: Choice<IssueState>
  readonly filter: IssueFilter
}

function Column({ state: { value, name, icon }, filter }: ColumnProps) {
  const issues = useQuery(columnOfBoard, inState(filter, value)) ?? []
  return (
    <section className="column" data-state={value} aria-label={name}>
      <h2 data-icon={icon} data-value={value}>
        {name} <span className="count">{issues.length}</span>
      </h2>
      <ul aria-label={name} className="stack">
        {issues.map((issue) => (
          <IssueCard key={issue.id} issue={issue} />
        ))}
      </ul>
    </section>
  )
}
