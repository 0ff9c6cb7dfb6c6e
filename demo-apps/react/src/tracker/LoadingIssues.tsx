import { issueStates } from '@selfsame/demo-shared/application'
import { Loading } from '../parts/Loading.js'

export function LoadingBoard() {
  return (
    <Loading className="board">
      {issueStates.map(({ value, name }) => (
        <div key={value} className="column">
          <p className="column-name">{name}</p>
          {Array.from({ length: 4 }, (_, index) => (
            <span key={index} className="skeleton-card" />
          ))}
        </div>
      ))}
    </Loading>
  )
}

export function LoadingIssueRows() {
  return (
    <Loading className="list">
      {Array.from({ length: 14 }, (_, index) => (
        <div key={index} className="issue-row">
          <span className="skeleton-line" />
        </div>
      ))}
    </Loading>
  )
}

export function LoadingIssue() {
  return (
    <Loading className="issue-screen">
      <span className="skeleton-title" />
      <span className="skeleton-block" />
    </Loading>
  )
}
