/**
 * What each commit changed. An application that does not import this ships none of it.
 *
 * @packageDocumentation
 */
export { changes } from './changes/changes.js'
export type {
  Age,
  CallChange,
  Commit,
  CommitCause,
  CommittedCall,
  CommittedChanges,
  ListChange,
  ListReference,
  ListState,
  RecordChange,
  RecordState,
} from './changes/commit.js'
