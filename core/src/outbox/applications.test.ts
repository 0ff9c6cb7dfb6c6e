import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { GQLEndpoint } from '../graphql.js'
import { Endpoint } from '../index.js'
import { outbox, outboxOf } from '../outbox.js'
import type { OutboxOptions } from '../outbox.js'
import { persist, persisted } from '../persist.js'
import { RestEndpoint } from '../rest.js'
import { syncTabs } from '../tabs.js'
import { Dish, createOrigin, dishesAt } from './testing-origin.js'
import { settle } from './testing-stage.js'

// Two applications of one origin share its storage, locks and channels, and nothing that is in them.

type Origin = ReturnType<typeof createOrigin>

let told: string[] = []
beforeEach(() => {
  told = []
  vi.spyOn(console, 'warn').mockImplementation((text: unknown) => void told.push(String(text)))
})
afterEach(() => void vi.restoreAllMocks())

interface Application {
  readonly name?: string
  /** The address of its server. */
  readonly urlPrefix: string
  readonly scope?: () => string | undefined
}

/** Opens a page of an application with the outbox, persistence and tabs. */
function openPage(origin: Origin, { urlPrefix, ...options }: Application, more: OutboxOptions = {}) {
  const dishes = dishesAt('/dish/:id', urlPrefix)
  const { name } = options
  const controller = origin.open(({ storage, network, channel, locks }) => [
    outbox({ endpoints: [dishes], storage, network, channel, locks, ...options, ...more }),
    persist({ storage, ...options }),
    syncTabs({ channel, locks, ...(name !== undefined && { name }) }),
  ])
  const box = outboxOf(controller)
  return {
    controller,
    box,
    dishes,
    names: () => controller.read(dishes.getList).data?.map(({ name: each }) => each),
  }
}

const prefixes = ['https://one.test', 'https://two.test'] as const
const [one, two] = prefixes.map((urlPrefix) => ({ urlPrefix })) as unknown as [Application, Application]

/** Pairs of applications that are two. */
const pairs: readonly [string, Application, Application][] = [
  ['of two servers', one, two],
  ['of one server with two names', { ...one, name: 'shop' }, { ...one, name: 'admin' }],
  ['of two servers with two names', { ...one, name: 'shop' }, { ...two, name: 'admin' }],
  ['of which one has a name', { ...one, name: 'shop' }, one],
  [
    'whose names and users have one text',
    { ...one, name: 'a/b', scope: () => 'c' },
    { ...one, name: 'a', scope: () => 'b/c' },
  ],
  [
    'whose name is that of the user of the other',
    { ...one, name: 'a', scope: () => '' },
    { ...one, name: '', scope: () => 'a' },
  ],
]

describe.each(pairs)('two applications %s', (_, first, second) => {
  test('neither shows nor sends what the other has in the outbox', async () => {
    const origin = createOrigin()
    origin.network.set(false)
    const a = openPage(origin, first)
    a.controller.fetch(a.dishes.create, { name: 'Of the first' }).catch(() => {})
    await a.box.written()
    const b = openPage(origin, second)
    await b.box.ready
    expect(b.box.mutations).toEqual([])
    a.controller.dispose()
    await settle()
    origin.network.set(true)
    await settle()
    expect([origin.received, b.box.mutations]).toEqual([[], []])
    const next = openPage(origin, first)
    await settle()
    expect(origin.received).toEqual([`POST ${first.urlPrefix}/dish {"name":"Of the first"}`])
    expect(next.box.mutations).toEqual([])
  })

  test('do not wait for each other', async () => {
    const origin = createOrigin()
    const [a, b] = [openPage(origin, first), openPage(origin, second)]
    origin.gate.wait = (request) => (request.includes('Hangs') ? new Promise(() => {}) : Promise.resolve())
    a.controller.fetch(a.dishes.create, { name: 'Hangs' }).catch(() => {})
    await settle()
    expect(origin.received).toHaveLength(1)
    await b.controller.fetch(b.dishes.create, { name: 'Sent' })
    expect(origin.received.at(-1)).toBe(`POST ${second.urlPrefix}/dish {"name":"Sent"}`)
  })

  test('restore what they have kept themselves', async () => {
    const origin = createOrigin()
    const a = openPage(origin, first)
    await a.controller.fetch(a.dishes.getList)
    await persisted(a.controller).flush()
    a.controller.dispose()
    await settle()
    const b = openPage(origin, second)
    await persisted(b.controller).ready
    expect([b.names(), b.controller.get(Dish, { id: 1 })]).toEqual([undefined, undefined])
    await persisted(b.controller).clear()
    b.controller.resetAll()
    await settle()
    const next = openPage(origin, first)
    await persisted(next.controller).ready
    expect(next.names()).toEqual([1, 2].map((id) => `Dish ${id} of ${first.urlPrefix}/dish`))
  })

  test('do not hear each other', async () => {
    const origin = createOrigin()
    const [a, b, c] = [openPage(origin, first), openPage(origin, second), openPage(origin, first)]
    await settle()
    for (const { controller, dishes } of [a, b, c]) await controller.fetch(dishes.getList)
    await settle()
    a.controller.set(Dish, { id: 1 }, { name: 'Changed' })
    a.controller.expireAll(a.dishes.getList)
    await settle()
    expect([b, c].map(({ controller }) => controller.get(Dish, { id: 1 })?.name)).toEqual([
      `Dish 1 of ${second.urlPrefix}/dish`,
      'Changed',
    ])
    expect(b.controller.read(b.dishes.getList).status).toBe('Valid')
    a.controller.resetAll()
    await settle()
    expect(c.names()).toBeUndefined()
    expect(b.names()).toHaveLength(2)
  })

  test('end their own sessions', async () => {
    const origin = createOrigin()
    origin.network.set(false)
    const a = openPage(origin, first)
    a.controller.fetch(a.dishes.create, { name: 'Kept' }).catch(() => {})
    await a.box.written()
    const b = openPage(origin, second)
    await b.box.ready
    b.controller.resetAll()
    await b.box.drop()
    await b.box.dropScope(first.scope?.() ?? '')
    await settle()
    expect(a.box.mutations).toHaveLength(1)
    a.controller.dispose()
    await settle()
    origin.network.set(true)
    openPage(origin, first)
    await settle()
    expect(origin.received).toEqual([`POST ${first.urlPrefix}/dish {"name":"Kept"}`])
  })
})

describe('without a `name`', () => {
  const send = new Endpoint(async () => null, { name: 'send', sideEffect: true })
  class Later extends RestEndpoint {
    static prefix = ''
  }
  Object.defineProperty(Later.prototype, 'urlPrefix', { get: () => Later.prefix })
  const later = new Later({ path: '/later', method: 'POST', body: {}, name: 'later' })
  const dishes = dishesAt('/dish/:id', 'https://one.test')
  const graphql = new GQLEndpoint('https://one.test').mutation('mutation Save { save { id } }')

  /** Makes a mutation offline with some endpoints, and opens a page with others. */
  async function deploy(before: readonly object[], after: readonly object[]) {
    const origin = createOrigin()
    const open = (endpoints: readonly object[]) => {
      const controller = origin.open((platform) => [outbox({ endpoints, ...platform })])
      return { controller, box: outboxOf(controller) }
    }
    origin.network.set(false)
    const first = open(before)
    first.controller.fetch(dishes.create, { name: 'x' }).catch(() => {})
    await first.box.written()
    first.controller.dispose()
    await settle()
    origin.network.set(true)
    open(after)
    await settle()
    return origin.received
  }

  test.each<[string, readonly object[]]>([
    ['as before', []],
    ['a function', [send]],
    ['an endpoint whose prefix is computed later', [later]],
    [
      'an endpoint of the same prefix',
      [new RestEndpoint({ urlPrefix: 'https://one.test', path: '/more', method: 'POST', name: 'more' })],
    ],
    ['a GraphQL server at the same address', [graphql]],
  ])(
    'an application is known by the prefix of what it lists, also if it lists more later: %s',
    async (_, more) => {
      expect(await deploy([dishes], [dishes, ...more])).toHaveLength(1)
      expect(await deploy([dishes, ...more], [dishes])).toHaveLength(1)
    },
  )

  test('a prefix that is computed later counts as unknown', async () => {
    const origin = createOrigin()
    const open = () => {
      const controller = origin.open((platform) => [outbox({ endpoints: [later], ...platform })])
      return { controller, box: outboxOf(controller) }
    }
    origin.network.set(false)
    Later.prefix = 'https://one.test'
    const first = open()
    first.controller.fetch(later, {} as never).catch(() => {})
    await first.box.written()
    first.controller.dispose()
    await settle()
    Later.prefix = ''
    const second = open()
    await second.box.ready
    expect(second.box.mutations).toMatchObject([{ endpoint: 'later', isKnown: false }])
    Later.prefix = 'https://one.test'
    origin.network.set(true)
    await settle()
    expect(origin.received).toEqual(['POST https://one.test/later {}'])
  })

  test('with the prefix that was its name, and an alias of it, an application keeps its rows when the API moves', async () => {
    const origin = createOrigin()
    origin.network.set(false)
    const before = openPage(origin, { urlPrefix: 'https://old.test' })
    before.controller.fetch(before.dishes.create, { name: 'x' }).catch(() => {})
    await before.box.written()
    before.controller.dispose()
    await settle()
    origin.network.set(true)
    openPage(
      origin,
      { urlPrefix: 'https://new.test', name: 'https://old.test' },
      { prefixAliases: { 'https://old.test': 'https://new.test' } },
    )
    await settle()
    expect(origin.received).toEqual(['POST https://new.test/dish {"name":"x"}'])
  })
})

describe('persist and syncTabs without an outbox and without a `name`', () => {
  const open = (origin: Origin, urlPrefix: string, name?: string) => {
    const dishes = dishesAt('/dish/:id', urlPrefix)
    const options = name === undefined ? {} : { name }
    const controller = origin.open(({ storage, channel, locks }) => [
      persist({ storage, ...options }),
      syncTabs({ channel, locks, ...options }),
    ])
    return { controller, dishes }
  }

  /** Opens a page after another was closed, and reads the list in both. */
  async function visitTwice(origin: Origin, first: string, second: string, names: readonly string[] = []) {
    const a = open(origin, first, names[0])
    await a.controller.fetch(a.dishes.getList)
    await persisted(a.controller).flush()
    a.controller.dispose()
    await settle()
    const b = open(origin, second, names[1])
    await persisted(b.controller).ready
    // Another call of the same class.
    await b.controller.fetch(b.dishes.get, { id: 2 })
    await b.controller.fetch(b.dishes.getList)
  }

  test.each([
    ['of two servers', prefixes],
    ['of a server and of its own origin', ['https://one.test', '']],
    ['of its own origin and of a server', ['', 'https://one.test']],
    ['below one server', ['https://one.test/a', 'https://one.test/b']],
  ])('development warns once that persist() keeps data %s', async (_, [first = '', second = '']) => {
    await visitTwice(createOrigin(), first, second)
    expect(told).toEqual([expect.stringMatching(/persist\(\).*Dish.*two applications.*`name`/s)])
  })

  test.each<[string, string, string, string[]]>([
    ['of one server', 'https://one.test', 'https://one.test', []],
    ['of its own origin', '', '', []],
    ['of two servers with names', ...prefixes, ['shop', 'admin']],
    ['of two servers with one name', ...prefixes, ['shop', 'shop']],
  ])('it does not warn of data %s', async (_, first, second, names) => {
    await visitTwice(createOrigin(), first, second, names)
    expect(told).toEqual([])
  })

  test('development warns once that syncTabs() hears of another server', async () => {
    const origin = createOrigin()
    const tabs = prefixes.map((prefix) => open(origin, prefix))
    await settle()
    for (const { controller, dishes } of [...tabs, ...tabs]) {
      await controller.fetch(dishes.getList, { page: Math.random() })
      await settle()
    }
    const warnings = told.filter((text) => text.includes('syncTabs()'))
    expect(warnings).toHaveLength(2)
    for (const text of warnings)
      expect(text).toMatch(/Dish\.getList.*(one|two)\.test.*two applications.*`name`/s)
  })

  test.each<[string, readonly (readonly [string, string?])[]]>([
    ['one server', [['https://one.test'], ['https://one.test']]],
    [
      'two servers with two names',
      [
        ['https://one.test', 'shop'],
        ['https://two.test', 'admin'],
      ],
    ],
    [
      'two servers with one name',
      [
        ['https://one.test', 'shop'],
        ['https://two.test', 'shop'],
      ],
    ],
  ])('it does not warn of %s', async (_, given) => {
    const origin = createOrigin()
    const tabs = given.map(([prefix, name]) => open(origin, prefix, name))
    await settle()
    for (const { controller, dishes } of [...tabs, ...tabs]) {
      await controller.fetch(dishes.getList)
      await settle()
    }
    expect(told).toEqual([])
  })
})
