import { describe, expectTypeOf, test } from 'vitest'
import { Entity, schema } from '../index.js'
import { createResource } from '../rest.js'
import { order, rule } from '../rules.js'
import type { ListRule } from '../rules.js'

class Issue extends Entity {
  id = 0
  title = ''
  state: 'open' | 'closed' = 'open'
}

class Other extends Entity {
  id = 0
  size = 0
}

describe('the rules of a Collection', () => {
  test('have its members', () => {
    new schema.Collection([Issue], {
      filter: rule((issue, { state }: { state?: string }) => {
        expectTypeOf(issue).toEqualTypeOf<Issue>()
        expectTypeOf(state).toEqualTypeOf<string | undefined>()
        return issue.state === state
      }),
      orderBy: order((a, b) => {
        expectTypeOf(a).toEqualTypeOf<Issue>()
        return a.id - b.id
      }),
    })
    new schema.Collection([Issue], { orderBy: order('title', 'descending') })
    // @ts-expect-error a rule of another class
    new schema.Collection([Issue], { filter: rule((other: Other) => other.size > 0) })
    // @ts-expect-error a field that no member has
    new schema.Collection([Issue], { orderBy: order('titel') })
    // @ts-expect-error not made by `rule`
    new schema.Collection([Issue], { filter: (issue: Issue) => issue.state === 'open' })
  })
})

describe('the rules of a resource', () => {
  test('have its records and the params of its list', () => {
    const options = { path: '/issue/:id', schema: Issue, searchParams: {} as { state?: 'open' } } as const
    createResource({
      ...options,
      filter: rule((issue: Issue, { state }: { state?: string }) => issue.state === state),
      orderBy: order('title'),
    })
    createResource({
      path: '/issue/:id',
      schema: Issue,
      filter: rule((issue: Issue, { state }) => issue.state === state),
    })
    // @ts-expect-error a param of another type
    createResource({ ...options, filter: rule((_: Issue, { state }: { state: number }) => state > 1) })
    // @ts-expect-error a rule of another class
    createResource({ ...options, filter: rule((other: Other) => other.size > 0) })
    // @ts-expect-error a field that no record has
    createResource({ ...options, orderBy: order('titel') })
  })

  test('know their records if the rule names them', () => {
    const options = { path: '/issue/:id', schema: Issue } as const
    createResource({ ...options, filter: rule<Issue>((issue, { q }) => issue.title.includes(q)) })
    createResource({
      ...options,
      searchParams: {} as { q?: string },
      filter: rule<Issue, { q?: string }>((issue, { q = '' }) => issue.title.includes(q)),
    })
    // @ts-expect-error TypeScript infers no type from the option beside it
    createResource({ ...options, filter: rule((issue, { q }) => issue.title.includes(q)) })
    createResource({
      ...options,
      searchParams: { q: '' },
      // @ts-expect-error a param with the default '' may be a number
      filter: rule((_: Issue, { q }: { q?: string }) => !q),
    })
  })

  test('do not decide which params the list has', () => {
    const { getList } = createResource({
      path: '/issue/:id',
      schema: Issue,
      filter: rule((issue: Issue, { state }: { state?: string }) => issue.state === state),
    })
    void (() => getList({ page: 2 }))
  })

  test('a rule has the types of its function', () => {
    expectTypeOf(rule((issue: Issue, args: { q: string }) => issue.title === args.q)).toEqualTypeOf<
      ListRule<Issue, { q: string }>
    >()
  })
})
