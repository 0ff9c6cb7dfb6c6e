import 'fake-indexeddb/auto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { GQLEndpoint } from '../graphql.js'
import { Endpoint, Entity, SelfsameError } from '../index.js'
import type { EndpointLike } from '../index.js'
import { outbox, outboxOf } from '../outbox.js'
import type { OutboxOptions } from '../outbox.js'
import { RestEndpoint, bidirectional } from '../rest.js'
import { indexedDbStorage, memoryStorage } from '../storage.js'
import { syncTabs } from '../tabs.js'
import { Dish, createOrigin, dishesAt } from './testing-origin.js'
import { createBrowser, settle } from './testing-stage.js'

// A mutation goes to the endpoint that it was made with, or nowhere.

afterEach(() => void vi.restoreAllMocks())

const prefix = 'https://api.test'
const [ours, theirs] = [dishesAt('/public/:id'), dishesAt('/admin/:id')]

type Origin = ReturnType<typeof createOrigin>

function openWith(origin: Origin, endpoints: readonly object[], more: OutboxOptions = {}) {
  const controller = origin.open((platform) => [outbox({ name: 'shop', endpoints, ...platform, ...more })])
  return { controller, box: outboxOf(controller) }
}

/** Makes mutations without a network, and closes the page. */
async function makeOffline(
  origin: Origin,
  listed: readonly object[],
  made: readonly (readonly [EndpointLike, ...unknown[]])[],
  more: OutboxOptions = {},
) {
  origin.network.set(false)
  const { controller, box } = openWith(origin, listed, more)
  for (const [endpoint, ...args] of made) controller.fetch(endpoint, ...(args as never[])).catch(() => {})
  await box.written()
  controller.dispose()
  await settle()
  origin.network.set(true)
}

const saving = (urlPrefix: string) =>
  new RestEndpoint({ urlPrefix, path: '/save', method: 'POST', body: {}, name: 'save' })
const voting = (method: 'PUT' | 'PATCH') =>
  new RestEndpoint({ urlPrefix: prefix, path: '/vote/:id', method, body: {}, name: 'vote' })
const gql = (url: string) =>
  new GQLEndpoint(url).mutation('mutation Save($name: String) { save(name: $name) { id } }')
const anonymous = (field: string) =>
  new GQLEndpoint(`${prefix}/graphql`).mutation(`mutation { ${field} { id } }`)
class ByTenant extends RestEndpoint {
  static tenant = ''
}
Object.defineProperty(ByTenant.prototype, 'urlPrefix', { get: () => `https://${ByTenant.tenant}.test` })

/** The members of a class of endpoint pairs: each has the same name twice. */
const pairs: readonly {
  title: string
  pair: readonly [listed: object, made: object]
  endpoint: EndpointLike
  args: readonly unknown[]
  sent: RegExp
}[] = [
  {
    title: 'create',
    pair: [ours, theirs],
    endpoint: theirs.create,
    args: [{ name: 'x' }],
    sent: /^POST .*\/admin /,
  },
  {
    title: 'partialUpdate',
    pair: [ours, theirs],
    endpoint: theirs.partialUpdate,
    args: [{ id: 5 }, { name: 'x' }],
    sent: /^PATCH .*\/admin\/5 /,
  },
  {
    title: 'delete',
    pair: [ours, theirs],
    endpoint: theirs.delete,
    args: [{ id: 5 }],
    sent: /^DELETE .*\/admin\/5$/,
  },
  {
    title: 'a change of a list',
    pair: [ours, theirs],
    endpoint: theirs.getList.unshift,
    args: [{ name: 'x' }],
    sent: /^POST .*\/admin /,
  },
  {
    title: 'one of two prefixes',
    pair: [dishesAt('/dish/:id'), dishesAt('/dish/:id', 'https://api.test/v2')],
    get endpoint() {
      return (this.pair[1] as typeof ours).create
    },
    args: [{ name: 'x' }],
    sent: /^POST https:\/\/api\.test\/v2\/dish /,
  },
  {
    title: 'one of two hosts',
    pair: [saving('https://one.test'), saving('https://two.test')],
    get endpoint() {
      return this.pair[1] as EndpointLike
    },
    args: [{ name: 'x' }],
    sent: /^POST https:\/\/two\.test\/save /,
  },
  {
    title: 'one of two methods',
    pair: [voting('PUT'), voting('PATCH')],
    get endpoint() {
      return this.pair[1] as EndpointLike
    },
    args: [{ id: 5 }, { up: 1 }],
    sent: /^PATCH .*\/vote\/5 /,
  },
  {
    title: 'an operation of one of two GraphQL servers',
    pair: [gql('https://one.test/graphql'), gql('https://two.test/graphql')],
    get endpoint() {
      return this.pair[1] as EndpointLike
    },
    args: [{ name: 'x' }],
    sent: /^POST https:\/\/two\.test\/graphql /,
  },
  {
    title: 'one of two GraphQL operations without a name',
    pair: [anonymous('open'), anonymous('close')],
    get endpoint() {
      return this.pair[1] as EndpointLike
    },
    args: [],
    sent: /^POST .*mutation \{ close /,
  },
]

describe.each(pairs)('of two endpoints of one name: $title', ({ pair, endpoint, args, sent }) => {
  const [listed, made] = pair
  test.each([
    ['in their order', [listed, made]],
    ['in the other order', [made, listed]],
  ])('a mutation goes to its own address after a reload: %s', async (_, endpoints) => {
    const origin = createOrigin(indexedDbStorage({ name: `astray ${Math.random()}` }))
    await makeOffline(origin, [listed, made], [[endpoint, ...args]])
    const { box } = openWith(origin, endpoints)
    await box.ready
    await vi.waitFor(() => expect(box.mutations).toEqual([]))
    expect(origin.received).toEqual([expect.stringMatching(sent)])
  })

  test('it waits where its own is not listed, is told of, and goes as soon as that is given', async () => {
    const origin = createOrigin()
    await makeOffline(origin, [listed, made], [[endpoint, ...args]])
    const { box } = openWith(origin, [listed])
    await box.ready
    await settle()
    expect(box.mutations).toMatchObject([
      { endpoint: endpoint.name, args, status: 'waiting', isKnown: false },
    ])
    origin.clock.advance(60_000)
    await box.retry()
    await settle()
    expect(origin.received).toEqual([])
    box.add(made)
    await settle()
    expect(origin.received).toEqual([expect.stringMatching(sent)])
    expect(box.mutations).toEqual([])
  })
})

describe('an Endpoint without a path', () => {
  test.each([
    [
      'a key of another form',
      { key: ({ id }: { id: number }) => `mail ${id}` },
      { key: ({ id }: { id: number }) => `fax ${id}` },
    ],
    ['a key of its own', {}, { key: (...args: readonly unknown[]) => `fax ${JSON.stringify(args)}` }],
    ['two lengths of a key', { key: () => 'post' }, { key: ({ id }: { id: number }) => `post ${id}` }],
    [
      'a key that needs more',
      { key: () => 'send' },
      { key: (_: unknown, { to }: { to: string }) => `send ${to}` },
    ],
  ])('is known by its name and the form of its key: %s', async (_, first, second) => {
    const sent: string[] = []
    const make = (to: string, options: object) =>
      new Endpoint(
        async ({ id }: { id: number }, _more?: object) => {
          sent.push(`${to} ${id}`)
          return null
        },
        { name: 'send', sideEffect: true, ...options },
      )
    const [mail, fax] = [make('mail', first), make('fax', second)]
    const origin = createOrigin()
    await makeOffline(origin, [mail, fax], [[fax, { id: 7 }, { to: 'Ann' }]])
    const { controller, box } = openWith(origin, [mail])
    await settle()
    expect(sent).toEqual([])
    expect(box.mutations).toMatchObject([{ endpoint: 'send', isKnown: false }])
    controller.dispose()
    openWith(origin, [fax, mail])
    await settle()
    expect(sent).toEqual(['fax 7'])
  })

  test('is not taken for one with a path', async () => {
    const send = vi.fn(async () => null)
    const plain = new Endpoint(send, { name: 'save', sideEffect: true })
    const origin = createOrigin()
    await makeOffline(origin, [saving(prefix)], [[saving(prefix), { name: 'x' }]])
    const { box } = openWith(origin, [plain])
    await settle()
    expect(send).not.toHaveBeenCalled()
    expect(box.mutations).toMatchObject([{ isKnown: false }])
  })

  test('and without a name is refused: nothing tells it from another after a reload', () => {
    const unnamed = new Endpoint(async () => null, { sideEffect: true })
    expect(() => openWith(createOrigin(), [unnamed])).toThrow(/which has no `name`/)
  })
})

test('a create and an unshift of one resource stay two', async () => {
  const origin = createOrigin()
  const made = [
    [theirs.create, { name: 'last' }],
    [theirs.getList.unshift, { name: 'first' }],
  ] as const
  await makeOffline(origin, [theirs], made)
  origin.network.set(false)
  const { controller, box } = openWith(origin, [theirs])
  controller.setResponse(theirs.getList, [
    { id: 1, name: 'a' },
    { id: 2, name: 'b' },
  ] as never)
  await box.ready
  await settle()
  expect(box.mutations.map(({ endpoint }) => endpoint)).toEqual(['Dish.create', 'Dish.getList.unshift'])
  expect(controller.read(theirs.getList).data?.map(({ name }) => name)).toEqual(['first', 'a', 'b', 'last'])
})

test('a mutation is not sent again by an endpoint that was made for another one, and is aborted', async () => {
  const origin = createOrigin()
  const { controller, box } = openWith(origin, [ours])
  origin.network.set(false)
  const saving = controller.fetch(ours.partialUpdate, { id: 1 }, { name: 'kept' })
  const abort = new AbortController()
  const once = ours.partialUpdate.extend({ signal: abort.signal })
  const ended = controller.fetch(once, { id: 2 }, { name: 'aborted' }).catch((error: unknown) => error)
  await box.written()
  abort.abort()
  expect(await ended).toMatchObject({ name: 'AbortError' })
  saving.catch(() => {})
  const [{ id } = { id: '' }] = box.mutations
  await box.edit(id, { id: 1 }, { name: 'edited' })
  origin.network.set(true)
  await settle()
  expect(origin.received).toEqual([`PATCH ${prefix}/public/1 {"name":"edited"}`])
  expect(box.mutations).toEqual([])
})

test('a GraphQL operation that selects more than before is the same operation', async () => {
  const before = new GQLEndpoint(`${prefix}/graphql`).mutation('mutation Save { save { id } }')
  const after = new GQLEndpoint(`${prefix}/graphql`).mutation('mutation Save { save { id name } }')
  const origin = createOrigin()
  await makeOffline(origin, [before], [[before]])
  openWith(origin, [after])
  await settle()
  expect(origin.received).toEqual([expect.stringContaining('save { id name }')])
})

describe('an endpoint whose prefix is computed', () => {
  const dish = () => new ByTenant({ path: '/dish', method: 'POST', body: {}, name: 'save' })
  afterEach(() => void (ByTenant.tenant = ''))

  test('a mutation of one tenant is not sent to another after a reload', async () => {
    const origin = createOrigin()
    ByTenant.tenant = 'one'
    await makeOffline(origin, [dish()], [[dish(), { name: 'x' }]])
    ByTenant.tenant = 'two'
    const { controller, box } = openWith(origin, [dish()])
    await settle()
    expect(box.mutations).toMatchObject([{ endpoint: 'save', isKnown: false, status: 'waiting' }])
    expect(origin.received).toEqual([])
    controller.dispose()
    ByTenant.tenant = 'one'
    openWith(origin, [dish()])
    await settle()
    expect(origin.received).toEqual(['POST https://one.test/dish {"name":"x"}'])
  })

  test('nor in the same page', async () => {
    const origin = createOrigin()
    ByTenant.tenant = 'one'
    origin.network.set(false)
    const save = dish()
    const { controller, box } = openWith(origin, [save])
    controller.fetch(save, { name: 'x' } as never).catch(() => {})
    await box.written()
    ByTenant.tenant = 'two'
    origin.network.set(true)
    await settle()
    expect(origin.received).toEqual([])
    expect(box.mutations).toMatchObject([{ endpoint: 'save', isKnown: false, status: 'waiting' }])
    ByTenant.tenant = 'one'
    await controller.fetch(ours.getList)
    await settle()
    expect(origin.received).toEqual(['POST https://one.test/dish {"name":"x"}'])
    expect(box.mutations).toEqual([])
  })

  test('one that is known only after the rows were read is found then', async () => {
    const origin = createOrigin()
    ByTenant.tenant = 'one'
    await makeOffline(origin, [dish()], [[dish(), { name: 'x' }]])
    ByTenant.tenant = 'not known yet'
    const { controller, box } = openWith(origin, [dish()])
    await box.ready
    await settle()
    expect(origin.received).toEqual([])
    ByTenant.tenant = 'one'
    await controller.fetch(ours.getList)
    await settle()
    expect(origin.received).toEqual(['POST https://one.test/dish {"name":"x"}'])
  })
})

test('an endpoint whose prefix cannot be computed yet does not stop the page', async () => {
  const config: { url?: { readonly href: string } } = {}
  class Configured extends RestEndpoint {}
  Object.defineProperty(Configured.prototype, 'urlPrefix', {
    get: () => (config.url as { readonly href: string }).href,
  })
  const save = new Configured({ path: '/dish', method: 'POST', body: {}, name: 'save' })
  const origin = createOrigin()
  config.url = { href: 'https://one.test' }
  await makeOffline(origin, [save, ours], [[save, { name: 'x' }]])
  delete config.url
  const { controller, box } = openWith(origin, [save, ours])
  await box.ready
  expect(box.mutations).toMatchObject([{ endpoint: 'save', isKnown: false, status: 'waiting' }])
  await controller.fetch(ours.create, { name: 'y' })
  config.url = { href: 'https://one.test' }
  await controller.fetch(ours.getList)
  await settle()
  expect(origin.received).toEqual([
    'POST https://api.test/public {"name":"y"}',
    'POST https://one.test/dish {"name":"x"}',
  ])
})

describe('two listed endpoints that are alike in name, method, prefix and path', () => {
  class Signed extends RestEndpoint {
    override getHeaders(headers: Readonly<Record<string, string>>) {
      return { ...headers, 'X-Signature': 'yes' }
    }
  }
  const send = (fetch: () => Promise<unknown>) => new Endpoint(fetch, { name: 'send', sideEffect: true })
  const signed = new Signed({ urlPrefix: prefix, path: '/save', method: 'POST', body: {}, name: 'save' })
  class Plain extends RestEndpoint {
    override searchToString() {
      return 'plain'
    }
  }
  const plainly = () =>
    new Plain({ urlPrefix: prefix, path: '/save', method: 'POST', body: {}, name: 'save' })
  const search = (searchParams: object) => saving(prefix).extend({ searchParams })

  test.each([
    ['process a response in two ways', theirs.create, theirs.create.extend({ process: () => ({}) })],
    [
      'send in two ways',
      saving(prefix),
      saving(prefix).extend({ fetchResponse: () => Promise.reject(new Error('no')) }),
    ],
    ['are of two classes', saving(prefix), signed],
    ['call two functions', send(async () => 1), send(async () => 2)],
    ['send other search params', search({ up: 1 }), search({ up: 2 })],
    ['write search params in two ways', saving(prefix), saving(prefix).extend({ searchToString: () => '' })],
    [
      'have two documents',
      gql(`${prefix}/graphql`),
      new GQLEndpoint(`${prefix}/graphql`).mutation('mutation Save { saveAll { id } }'),
    ],
  ])('are refused at construction if they %s', (_, first, second) => {
    const construct = () => openWith(createOrigin(), [first, { second }])
    expect(construct).toThrow(SelfsameError)
    expect(construct).toThrow(expect.objectContaining({ code: 'argument-invalid' }))
    // The endpoint, and the remedy.
    expect(construct).toThrow(new RegExp(`${first.name}.*\`name\``, 's'))
  })

  test('are refused also if the second is given later', () => {
    const { box } = openWith(createOrigin(), [saving(prefix)])
    expect(() => box.add(signed)).toThrow(/save.*`name`/s)
  })

  test.each([
    ['they are one', () => [theirs, theirs.create, theirs]],
    ['the list makes them anew', () => [theirs, theirs.getList.push, theirs.getList.push, theirs.getList]],
    ['they send the same', () => [saving(prefix), saving(prefix)]],
    ['one has a signal', () => [theirs, theirs.create.extend({ signal: new AbortController().signal })]],
    ['they only read', () => [theirs, theirs.get.extend({ process: () => ({}) })]],
    ['only types name the search params', () => [saving(prefix), search({} as { up: number })]],
    ['a class writes their search params', () => [plainly(), plainly().extend({ schema: Dish })]],
    [
      'one is a list in both directions',
      () => [ours, bidirectional(ours.getList, { previous: 'before', start: 'around' })],
    ],
    ['they have two names', () => [saving(prefix), signed.extend({ name: 'saveSigned' })]],
  ] as [string, () => object[]][])('are taken if %s', (_, endpoints) => {
    expect(() => openWith(createOrigin(), endpoints())).not.toThrow()
  })
})

test('a delete that sends no params, with a name of its own, is sent by itself after a reload', async () => {
  const counted = ours.delete.extend({
    name: 'Dish.deleteCounted',
    searchParams: {} as { menu: number },
    searchToString: () => '',
  })
  const listed = [ours, counted]
  const origin = createOrigin(indexedDbStorage({ name: `astray ${Math.random()}` }))
  await makeOffline(origin, listed, [
    [counted, { id: 7, menu: 5 }],
    [ours.delete, { id: 8 }],
  ])
  const { box } = openWith(origin, listed)
  await box.ready
  await vi.waitFor(() => expect(box.mutations).toEqual([]))
  expect(origin.received.toSorted()).toEqual([`DELETE ${prefix}/public/7`, `DELETE ${prefix}/public/8`])
})

test('what is written down has no credentials of an address', async () => {
  const origin = createOrigin()
  const secret = saving('https://user:secret@api.test')
  await makeOffline(origin, [secret], [[secret, { name: 'x' }]])
  expect(JSON.stringify(await origin.storage.list(''))).not.toContain('secret')
  openWith(origin, [secret])
  await settle()
  expect(origin.received).toHaveLength(1)
})

describe('an API that moves to another host', () => {
  const prefixAliases = { 'https://old.test': 'https://new.test' }

  test.each<[string, (urlPrefix: string) => readonly [object, EndpointLike], readonly unknown[], string]>([
    [
      'a resource',
      (urlPrefix) => {
        const dishes = dishesAt('/dish/:id', urlPrefix)
        return [dishes, dishes.create]
      },
      [{ name: 'x' }],
      'POST https://new.test/dish {"name":"x"}',
    ],
    [
      'a change of a list',
      (urlPrefix) => {
        const dishes = dishesAt('/dish/:id', urlPrefix)
        return [dishes, dishes.getList.move]
      },
      [{ id: 5 }, { name: 'x' }],
      'PATCH https://new.test/dish/5 {"name":"x"}',
    ],
    [
      'an endpoint',
      (urlPrefix) => [saving(urlPrefix), saving(urlPrefix)],
      [{ name: 'x' }],
      'POST https://new.test/save {"name":"x"}',
    ],
    [
      'a GraphQL server',
      (urlPrefix) => [gql(urlPrefix), gql(urlPrefix)],
      [{ name: 'x' }],
      'POST https://new.test {"query"',
    ],
  ])('keeps its rows by an alias, and without one they wait: %s', async (_, make, args, sent) => {
    const origin = createOrigin()
    const [before, made] = make('https://old.test')
    await makeOffline(origin, [before], [[made, ...args]])
    const [after] = make('https://new.test')
    const unaware = openWith(origin, [after])
    await settle()
    expect(unaware.box.mutations).toMatchObject([{ endpoint: made.name, isKnown: false }])
    unaware.controller.dispose()
    expect(origin.received).toEqual([])
    openWith(origin, [after], { prefixAliases })
    await settle()
    expect(origin.received).toEqual([expect.stringContaining(sent)])
  })

  test('a mutation of a host that is still listed goes there', async () => {
    const origin = createOrigin()
    const [old, now] = [saving('https://old.test'), saving('https://new.test')]
    await makeOffline(origin, [old], [[old, { name: 'x' }]])
    openWith(origin, [now, old], { prefixAliases })
    await settle()
    expect(origin.received).toEqual(['POST https://old.test/save {"name":"x"}'])
  })

  test('what was made before the move is sent before what is made after it', async () => {
    const origin = createOrigin()
    const [old, now] = [saving('https://old.test'), saving('https://new.test')]
    await makeOffline(origin, [old], [[old, { name: 'before' }]])
    origin.network.set(false)
    const { controller, box } = openWith(origin, [now], { prefixAliases })
    await box.ready
    controller.fetch(now, { name: 'after' } as never).catch(() => {})
    await box.written()
    let answer = () => {}
    origin.gate.wait = () => new Promise<void>((resolve) => (answer = resolve))
    origin.network.set(true)
    await settle()
    expect(origin.received).toEqual(['POST https://new.test/save {"name":"before"}'])
    answer()
    await settle()
    answer()
    expect(origin.received.at(-1)).toBe('POST https://new.test/save {"name":"after"}')
  })

  test('an edit of a created dish follows it', async () => {
    const origin = createOrigin()
    const [old, now] = [dishesAt('/dish/:id', 'https://old.test'), dishesAt('/dish/:id', 'https://new.test')]
    origin.network.set(false)
    const { controller, box } = openWith(origin, [old])
    controller.setResponse(old.getList, [])
    controller.fetch(old.create, { name: 'x' }).catch(() => {})
    const [{ id } = { id: 0 }] = controller.read(old.getList).data ?? []
    controller.fetch(old.partialUpdate, { id }, { name: 'y' }).catch(() => {})
    await box.written()
    controller.dispose()
    await settle()
    origin.network.set(true)
    openWith(origin, [now], { prefixAliases })
    await settle(30)
    expect(origin.received).toEqual([
      'POST https://new.test/dish {"name":"x"}',
      'PATCH https://new.test/dish/101 {"name":"y"}',
    ])
  })
})

describe('in the messages of tabs, two resources of one class', () => {
  const orders = [
    ['in their order', [ours, theirs]],
    ['in the other order', [theirs, ours]],
  ] as const

  function openTabs(origin: Origin, endpoints: readonly object[]) {
    const open = () =>
      origin.open(({ channel, locks }) => [syncTabs({ name: 'shop', endpoints, channel, locks })])
    return [open(), open()] as const
  }

  test.each(orders)(
    'a created record joins the lists of its own in the other tab: %s',
    async (_, endpoints) => {
      const origin = createOrigin()
      const [a, b] = openTabs(origin, endpoints)
      await settle()
      for (const tab of [a, b])
        for (const { getList } of [ours, theirs]) {
          await tab.fetch(getList)
          await settle()
        }
      for (const { create, getList } of [ours, theirs]) {
        await a.fetch(create, { name: 'New' })
        await settle()
        expect(b.read(getList).data?.map(({ name }) => name)).toContain('New')
      }
      expect([ours, theirs].map(({ getList }) => b.read(getList).data?.length)).toEqual([3, 3])
    },
  )

  test.each(orders)(
    'what is expired of one is expired of that one in the other tab: %s',
    async (_, endpoints) => {
      const origin = createOrigin()
      const [a, b] = openTabs(origin, endpoints)
      await settle()
      // Calls that only one tab has: their keys are not in the message.
      for (const { getList } of [ours, theirs]) await b.fetch(getList, { page: 2 })
      await settle()
      a.expireAll(theirs.getList)
      await settle()
      expect([ours, theirs].map(({ getList }) => b.read(getList, { page: 2 }).status)).toEqual([
        'Valid',
        'Stale',
      ])
      a.expireAll(ours.getList)
      await settle()
      expect(b.read(ours.getList, { page: 2 }).status).toBe('Stale')
    },
  )

  test.each(orders)('a lost answer makes its own Stale in the other tab: %s', async (_, endpoints) => {
    const origin = createOrigin()
    const [a, b] = openTabs(origin, endpoints)
    await settle()
    for (const { getList } of [ours, theirs]) await b.fetch(getList)
    await settle()
    origin.gate.wait = () => Promise.reject(new TypeError('Failed to fetch'))
    await expect(a.fetch(theirs.create, { name: 'Lost' })).rejects.toThrow('no response')
    await settle()
    expect(b.read(theirs.getList).status).toBe('Stale')
  })
})

test('a read waits in another tab for the same read, not for another endpoint at its address', async () => {
  const read = (name: string) =>
    new RestEndpoint({
      urlPrefix: prefix,
      path: '/dish/:id',
      name,
      process: (value: { name: string }) => `${name} ${value.name}`,
    })
  const origin = createOrigin()
  const open = () => origin.open(({ channel, locks }) => [syncTabs({ name: 'shop', channel, locks })])
  const [a, b, c] = [open(), open(), open()]
  await settle()
  let answer = () => {}
  const wait = new Promise<void>((resolve) => (answer = resolve))
  origin.gate.wait = () => wait
  const [first, second] = [read('brief'), read('whole')]
  const answers = [a.fetch(first, { id: 5 })]
  await settle()
  answers.push(b.fetch(second, { id: 5 }), c.fetch(read('brief'), { id: 5 }))
  await settle()
  answer()
  const of = 'Dish 5 of https://api.test/dish/5'
  await settle()
  expect(await Promise.all(answers)).toEqual([`brief ${of}`, `whole ${of}`, `brief ${of}`])
  // The third tab took the answer of the first.
  expect(origin.reads).toHaveLength(2)
})

test('the answer of another tab is stored by its own endpoint', async () => {
  class Draft extends Entity {
    id = 0
    name = ''
    static override key = 'Dish'
  }
  expect(Draft.key).toBe(Dish.key)
  const origin = createOrigin(memoryStorage())
  const all = [ours, theirs]
  const [a, b] = [openWith(origin, all), openWith(origin, [theirs, ours])]
  await settle()
  for (const { getList } of all) await b.controller.fetch(getList)
  await a.controller.fetch(ours.create, { name: 'Of ours' })
  await settle()
  await b.controller.fetch(theirs.create, { name: 'Of theirs' })
  await settle()
  const names = all.map(({ getList }) =>
    b.controller
      .read(getList)
      .data?.slice(2)
      .map(({ name }) => name),
  )
  expect(names).toEqual([['Of ours'], ['Of theirs']])
  expect(origin.received.map((request) => request.split(' ').slice(0, 2).join(' '))).toEqual([
    `POST ${prefix}/public`,
    `POST ${prefix}/admin`,
  ])
})

test('development warns once of a mutation whose `update` the outbox does not know after a reload', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { open, todos } = createBrowser()
  const { controller } = open()
  const counting = todos.partialUpdate.extend({ update: () => ({}) })
  for (const title of ['a', 'b']) await controller.fetch(counting, { id: 1 }, { title })
  await controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'c' })
  expect(warn.mock.calls).toHaveLength(1)
  expect(String(warn.mock.calls[0])).toMatch(/knows Todo\.partialUpdate without this `update`/)
  const listed = createBrowser()
  const own = listed.todos.partialUpdate.extend({ update: () => ({}) })
  const { controller: other } = listed.open({ endpoints: [listed.todos, own] })
  await other.fetch(own, { id: 1 }, { title: 'd' })
  expect(warn.mock.calls).toHaveLength(1)
})
