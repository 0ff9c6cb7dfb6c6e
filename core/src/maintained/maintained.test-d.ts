import { describe, expectTypeOf, test } from 'vitest'
import { Controller, Entity, Query, schema } from '../index.js'
import { from } from '../maintained.js'
import type { Group, GroupTotal, ListWindow } from '../maintained.js'

class User extends Entity {
  id = 0
  name = ''
}

class Issue extends Entity {
  id = 0
  title = ''
  state: 'open' | 'closed' = 'open'
  votes: number | null = 0
  owner: User | undefined
}

class Comment extends Entity {
  id = 0
  issueId = 0
}

const controller = new Controller()
const issues = from(Issue)

describe('the chain of a maintained query', () => {
  test('keeps the members of its source', () => {
    expectTypeOf(controller.get(issues)).toEqualTypeOf<readonly Issue[] | undefined>()
    expectTypeOf(controller.get(from(new schema.All(Issue)))).toEqualTypeOf<readonly Issue[] | undefined>()
    expectTypeOf(controller.get(from(new schema.Collection([Issue])))).toEqualTypeOf<
      readonly Issue[] | undefined
    >()
    expectTypeOf(controller.get(from(issues.limit(3)).orderBy('title'))).toEqualTypeOf<
      readonly Issue[] | undefined
    >()
    const titled = new Query(new schema.All(Issue), (all) => all.filter(({ title }) => title !== ''))
    expectTypeOf(controller.get(from(titled))).toEqualTypeOf<readonly Issue[] | undefined>()
  })

  test('collects the arguments of its functions', () => {
    const found = issues
      .where('state')
      .where((issue, { text }: { text: string }) => issue.title.includes(text))
      .limit(({ most }: { most: number }) => most)
    expectTypeOf(controller.get(found, { state: 'open', text: 'a', most: 3 })).toEqualTypeOf<
      readonly Issue[] | undefined
    >()
    controller.get(found, { text: 'a', most: 3 })
    // @ts-expect-error `most` is missing
    controller.get(found, { text: 'a' })
    // @ts-expect-error no issue has this state
    controller.get(found, { text: 'a', most: 3, state: 'lost' })
  })

  test('refuses fields that no member has', () => {
    // @ts-expect-error no such field
    issues.where({ stat: 'open' })
    // @ts-expect-error no such value
    issues.where({ state: 'lost' })
    // @ts-expect-error no such field
    issues.where('stat')
    // @ts-expect-error no such field
    issues.orderBy('titel')
    // @ts-expect-error a method is no field
    issues.orderBy('pk')
    // @ts-expect-error no such direction
    issues.orderBy('title', 'down')
    // @ts-expect-error no such field
    issues.groupBy('stat')
    // @ts-expect-error no such field of a comment
    issues.with(Comment, 'issue')
  })

  test('joins and relates', () => {
    const owned = controller.get(issues.join('owner'))!
    expectTypeOf(owned[0]!.owner).toEqualTypeOf<User>()
    const rows = issues.with(Comment, 'issueId')
    expectTypeOf(controller.get(rows)).toEqualTypeOf<
      readonly (readonly [Issue, readonly Comment[]])[] | undefined
    >()
    const wider = rows.where(([, comments]) => comments.length > 1).with(User, 'id')
    expectTypeOf(controller.get(wider)).toEqualTypeOf<
      readonly (readonly [Issue, readonly Comment[], readonly User[]])[] | undefined
    >()
  })

  test('groups and totals', () => {
    type State = 'open' | 'closed'
    const groups = issues.groupBy('state')
    expectTypeOf(controller.get(groups)).toEqualTypeOf<readonly Group<State, Issue>[] | undefined>()
    expectTypeOf(controller.get(groups.count())).toEqualTypeOf<
      readonly GroupTotal<State, number>[] | undefined
    >()
    expectTypeOf(controller.get(groups.min('votes'))).toEqualTypeOf<
      readonly GroupTotal<State, number | undefined>[] | undefined
    >()
    expectTypeOf(controller.get(groups.first())).toEqualTypeOf<
      readonly GroupTotal<State, Issue>[] | undefined
    >()
    expectTypeOf(controller.get(issues.groupBy(({ title }) => title.length))).toEqualTypeOf<
      readonly Group<number, Issue>[] | undefined
    >()
    expectTypeOf(controller.get(issues.count())).toEqualTypeOf<number | undefined>()
    expectTypeOf(controller.get(issues.sum('votes'))).toEqualTypeOf<number | undefined>()
    expectTypeOf(controller.get(issues.max(({ title }) => title))).toEqualTypeOf<string | undefined>()
    expectTypeOf(controller.get(issues.first())).toEqualTypeOf<Issue | undefined>()
  })

  test('shows windows', () => {
    const rows = issues.where('state').window()
    expectTypeOf(controller.get(rows, { window: [0, 30] })).toEqualTypeOf<ListWindow<Issue> | undefined>()
    // @ts-expect-error the window is missing
    controller.get(rows, { state: 'open' })
    // @ts-expect-error a total has no windows
    void (() => issues.count().window())
  })
})
