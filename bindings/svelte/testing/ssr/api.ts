import { Entity, schema } from '@selfsame/core'
import { RestEndpoint } from '@selfsame/core/rest'

export class Account extends Entity {
  id = ''
  name = ''
  since: Date | undefined
  static override key = 'Account'
  static override schema = { since: Date }
}

export class Todo extends Entity {
  id = ''
  title = ''
  static override key = 'Todo'
}

const shared = { urlPrefix: '/api' }

/** A cookie identifies the user. */
export const getAccount = new RestEndpoint({
  ...shared,
  path: '/account',
  schema: Account,
  name: 'getAccount',
})
export const getTodos = new RestEndpoint({
  ...shared,
  path: '/todos',
  searchParams: {} as { owner: string },
  schema: new schema.Collection([Todo]),
  name: 'getTodos',
})
export const getTodo = new RestEndpoint({ ...shared, path: '/todos/:id', schema: Todo, name: 'getTodo' })
/** Fails on the server, and succeeds in the browser. */
export const getFailing = new RestEndpoint({
  ...shared,
  path: '/failing',
  name: 'getFailing',
  errorExpiryLength: 60_000,
})
/** The same, with an error that expires immediately. */
export const getGone = getFailing.extend({ path: '/gone', name: 'getGone', errorExpiryLength: 0 })
/** A payload with values that JSON cannot represent. */
export const getValues = new RestEndpoint({
  ...shared,
  path: '/values',
  name: 'getValues',
  process: ({ at }: { readonly at: string }) => ({
    at: new Date(at),
    big: 2n ** 60n,
    map: new Map([['</script><!--\u2028', NaN]]),
    nothing: undefined,
  }),
})
