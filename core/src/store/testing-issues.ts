import { Endpoint, Entity, schema } from '../index.js'

/** The records whose costs are measured: each issue has a user and two labels, which it shares with others. */
export class User extends Entity {
  id = 0
  login = ''
  static override key = 'User'
}

export class Label extends Entity {
  id = 0
  name = ''
  static override key = 'Label'
}

export class Issue extends Entity {
  id = 0
  title = ''
  user: User | undefined = undefined
  labels: Label[] = []
  static override key = 'Issue'
  static override schema = { user: User, labels: [Label] }
}

export const getIssues = new Endpoint(() => Promise.resolve([]), {
  name: 'issues',
  schema: new schema.Collection([Issue]),
})

/** The response of `getIssues`. */
export function issuesOf(count: number): object[] {
  return Array.from({ length: count }, (_, id) => ({
    id,
    title: `Issue ${id}`,
    user: { id: id % 20, login: `user ${id % 20}` },
    labels: [
      { id: id % 10, name: 'one' },
      { id: 10 + (id % 10), name: 'two' },
    ],
  }))
}
