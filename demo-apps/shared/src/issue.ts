import { Entity } from '@selfsame/core'
import { User } from './user.js'

export type IssueState = 'backlog' | 'todo' | 'in-progress' | 'done'
export type IssuePriority = 'urgent' | 'high' | 'medium' | 'low' | 'none'

export class Label extends Entity {
  id = 0
  name = ''
  /** The name of a color of the design. */
  color = 'grey'
  static override readonly key = 'Label'
}

export class Issue extends Entity {
  id = 0
  title = ''
  body = ''
  state: IssueState = 'backlog'
  priority: IssuePriority = 'none'
  assignee: User | null = null
  /** `null` for a visitor who was not signed in. */
  author: User | null = null
  labels: readonly Label[] = []
  createdAt = new Date(0)
  updatedAt = new Date(0)
  commentCount = 0

  static override readonly key = 'Issue'
  static override readonly schema = {
    assignee: User,
    author: User,
    labels: [Label],
    createdAt: Date,
    updatedAt: Date,
  }
}

/** Something that happened to an issue: a comment, or a change of one field. */
export class Activity extends Entity {
  id = 0
  /** The id of the issue. */
  issue = 0
  kind: 'created' | 'comment' | 'title' | 'body' | 'state' | 'priority' | 'assignee' | 'labels' = 'comment'
  actor: User | null = null
  from: string | null = null
  to: string | null = null
  /** Whom the issue was assigned to. */
  assignee: User | null = null
  body = ''
  createdAt = new Date(0)

  static override readonly key = 'Activity'
  static override readonly schema = { actor: User, assignee: User, createdAt: Date }
}

/** Who views an issue, whose `id` it has. */
export class Presence extends Entity {
  id = 0
  users: readonly User[] = []

  static override readonly key = 'Presence'
  static override readonly schema = { users: [User] }
}
