import { beforeEach, describe, expect, test } from 'vitest'
import { Controller } from '../controller/controller.js'
import { Entity } from '../schema/entity.js'
import { hookifyResource } from './hookify-resource.js'
import type { InitSource } from './request-init.js'
import { createResource } from './resource.js'
import { RestEndpoint } from './rest-endpoint.js'
import type { RestOptions } from './rest-types.js'

class Todo extends Entity {
  id = 0
  title = ''
}

interface Sent {
  readonly url: string
  readonly init: RequestInit
}
let sent: Sent[] = []
let answer: (sent: Sent) => unknown = () => ({ id: 5 })

beforeEach(() => {
  sent = []
  answer = () => ({ id: 5 })
})

/** Overrides the steps of all requests, as an application may do. */
class AppEndpoint<const Options extends RestOptions> extends RestEndpoint<Options> {
  override async getRequestInit(body?: unknown): Promise<RequestInit> {
    return { ...(await super.getRequestInit(body)), credentials: 'same-origin' }
  }
  override getHeaders(headers: Readonly<Record<string, string>>): HeadersInit {
    return { ...headers, 'X-App': 'todo', 'Accept-Language': 'en' }
  }
  override async fetchResponse(url: string, init: RequestInit): Promise<Response> {
    sent.push({ url, init })
    return Response.json(await answer({ url, init }))
  }
}
const todo = createResource({ path: '/:group/:id', schema: Todo, Endpoint: AppEndpoint })
const list = { group: 'a' }
const detail = { group: 'a', id: 5 }

const headersOf = (index = 0) => new Headers(sent[index]?.init.headers)

describe('hooks', () => {
  test('are six, each of a member', async () => {
    const hooks = hookifyResource(todo, () => ({ headers: { 'Access-Token': 'x' } }))
    expect(Object.keys(hooks).sort()).toEqual([
      'useCreate',
      'useDelete',
      'useGet',
      'useGetList',
      'usePartialUpdate',
      'useUpdate',
    ])
    answer = () => ({})
    await hooks.useGet()(detail)
    await hooks.useGetList()(list)
    await hooks.useCreate()(list, { title: 'x' })
    await hooks.useUpdate()(detail, { title: 'x' })
    await hooks.usePartialUpdate()(detail, { title: 'x' })
    expect(await hooks.useDelete()(detail)).toEqual(detail)
    expect(sent.map(({ url, init }) => `${init.method} ${url}`)).toEqual([
      'GET /a/5',
      'GET /a',
      'POST /a',
      'PUT /a/5',
      'PATCH /a/5',
      'DELETE /a/5',
    ])
    for (const { init } of sent) expect(new Headers(init.headers).get('access-token')).toBe('x')
    expect(sent[2]?.init.body).toBe('{"title":"x"}')
    expect(headersOf(2).get('content-type')).toBe('application/json')
  })

  test('give endpoints of the same class, schema, name and keys', () => {
    const get = hookifyResource(todo, () => ({ cache: 'no-store' })).useGet()
    expect(get).toBeInstanceOf(AppEndpoint)
    expect([get.schema, get.name, get.sideEffect]).toEqual([todo.get.schema, todo.get.name, undefined])
    expect(get.key(detail)).toBe(todo.get.key(detail))
  })

  test('call useInit each time, and nothing else calls it', async () => {
    let calls = 0
    const { useGet } = hookifyResource(todo, () => void calls++)
    expect(calls).toBe(0)
    const get = useGet()
    useGet()
    await get(detail)
    expect(calls).toBe(2)
  })

  test.each([undefined, null])('give the member itself where useInit gives %s', (nothing) => {
    expect(hookifyResource(todo, () => nothing).useGet()).toBe(todo.get)
  })
})

describe('init', () => {
  test('is merged with that of the endpoint: headers by name, whatever their case and form', async () => {
    for (const headers of [
      { 'access-token': 'x', 'ACCEPT-LANGUAGE': 'de' },
      new Headers({ 'Access-Token': 'x', 'Accept-Language': 'de' }),
      [
        ['Access-Token', 'x'],
        ['accept-language', 'de'],
      ] as [string, string][],
    ]) {
      sent = []
      await hookifyResource(todo, () => ({ headers, mode: 'cors', credentials: 'include' })).useGet()(detail)
      expect(sent[0]?.init).toMatchObject({ method: 'GET', mode: 'cors', credentials: 'include' })
      expect(Object.fromEntries(headersOf())).toEqual({
        'accept-language': 'de',
        'access-token': 'x',
        'x-app': 'todo',
      })
    }
  })

  test('replaces neither method nor body, and a header that is undefined is none', async () => {
    const init = { method: 'DELETE', body: 'x', headers: { 'Access-Token': undefined } } as object
    await hookifyResource(todo, () => init).useCreate()(list, { title: 'x' })
    expect(sent[0]?.init).toMatchObject({ method: 'POST', body: '{"title":"x"}' })
    expect(headersOf().has('access-token')).toBe(false)
  })

  test('may bring a signal', async () => {
    const { signal } = new AbortController()
    await hookifyResource(todo, () => ({ signal })).useGet()(detail)
    expect(sent[0]?.init.signal).toBe(signal)
  })

  test('survives extend', async () => {
    const get = hookifyResource(todo, () => ({ headers: { 'Access-Token': 'x' } })).useGet()
    await get.extend({ path: '/other/:id' })({ id: 5 })
    expect(sent[0]?.url).toBe('/other/5')
    expect(headersOf().get('access-token')).toBe('x')
    expect(headersOf().get('x-app')).toBe('todo')
  })
})

describe('what useInit gives', () => {
  let token = ''
  const init = () => ({ headers: { 'Access-Token': token } })
  const sources: Record<string, () => InitSource> = {
    'a getter': () => init,
    'a ref': () => ({
      __v_isRef: true,
      get value() {
        return init()
      },
    }),
    'a store': () => ({
      subscribe(run) {
        subscriptions++
        run(init())
        return () => void subscriptions--
      },
    }),
    'an observable': () => ({
      subscribe(run) {
        subscriptions++
        run(init())
        return { unsubscribe: () => void subscriptions-- }
      },
    }),
  }
  let subscriptions = 0

  test.each(Object.entries(sources))('may be %s, which is read when the request is made', async (_, make) => {
    token = 'before'
    const get = hookifyResource(todo, make).useGet()
    token = 'first'
    await get(detail)
    token = 'second'
    await get(detail)
    expect([headersOf(0).get('access-token'), headersOf(1).get('access-token')]).toEqual(['first', 'second'])
    expect(subscriptions).toBe(0)
  })

  test.each(Object.entries(sources))('may be %s, the same one of which gives one endpoint', (_, make) => {
    const source = make()
    const { useGet } = hookifyResource(todo, () => source)
    expect(useGet()).toBe(useGet())
  })
})

describe('the endpoint (E16)', () => {
  test('is the same object while init is shallowly the same, by number', () => {
    let token = 'a'
    const { useGet, useGetList } = hookifyResource(todo, () => ({
      headers: { 'Access-Token': token },
      mode: 'cors',
    }))
    const made = new Set<unknown>()
    for (let render = 0; render < 100; render++) made.add(useGet())
    expect(made.size).toBe(1)
    token = 'b'
    for (let render = 0; render < 100; render++) made.add(useGet())
    expect(made.size).toBe(2)
    token = 'a'
    for (let render = 0; render < 100; render++) made.add(useGet())
    expect(made.size).toBe(2)
    expect(made.has(useGetList())).toBe(false)
  })

  test('is another for each reactive object, which is read when the request is made', async () => {
    const makeReactive = () => ({ headers: { a: '1' }, __v_isReactive: true }) as { headers: { a: string } }
    const [first, second] = [makeReactive(), makeReactive()]
    let init = first
    const { useGet } = hookifyResource(todo, () => init)
    const get = useGet()
    init = second
    expect(useGet()).not.toBe(get)
    first.headers = { a: '2' }
    await get(detail)
    expect(headersOf().get('a')).toBe('2')
  })

  test('is another when a member or a header differs, is missing or is new', () => {
    let init: InitSource = { mode: 'cors', headers: { a: '1' } }
    const { useGet } = hookifyResource(todo, () => init)
    const made = new Set<unknown>([useGet()])
    for (const other of [
      { mode: 'cors', headers: { a: '2' } },
      { mode: 'cors', headers: { a: '1', b: '1' } },
      { mode: 'cors', headers: { b: '1' } },
      { mode: 'cors' },
      { headers: { a: '1' } },
      { mode: 'cors', headers: { a: '1' }, cache: 'no-store' },
    ] as const) {
      init = other
      made.add(useGet())
    }
    expect(made.size).toBe(7)
    init = { headers: new Headers({ A: '1' }), mode: 'cors' }
    made.add(useGet())
    expect(made.size).toBe(7)
  })

  test('shares a request with one of equal init, of another component, and with no other user', async () => {
    const tokens = ['a', 'a', 'b']
    let next = 0
    const { useGet } = hookifyResource(todo, () => {
      const token = tokens[next++]
      return () => ({ headers: { 'Access-Token': `${token}` } })
    })
    const [first, second, other] = [useGet(), useGet(), useGet()]
    expect(first).not.toBe(second)
    const controller = new Controller()
    await Promise.all([
      controller.fetch(first, detail),
      controller.fetch(second, detail),
      controller.fetch(other, detail),
      controller.fetch(todo.get, detail),
    ])
    const seen = sent.map(({ init }) => new Headers(init.headers).get('access-token') ?? 'none')
    expect(seen.sort()).toEqual(['a', 'b', 'none'])
  })

  test('of the next user sees nothing of the last after resetAll', async () => {
    let token = 'ada'
    const { useGet } = hookifyResource(todo, () => ({ headers: { 'Access-Token': token } }))
    const waiting: (() => void)[] = []
    answer = async ({ init }) => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      return { id: 5, title: `of ${new Headers(init.headers).get('access-token')}` }
    }
    const turn = () => new Promise((resolve) => setTimeout(resolve, 0))
    const controller = new Controller()
    const ofAda = controller.fetch(useGet(), detail)
    ofAda.catch(() => {})
    await turn()
    token = 'ben'
    controller.resetAll()
    const ofBen = controller.fetch(useGet(), detail)
    await turn()
    waiting[1]?.()
    expect(await ofBen).toMatchObject({ title: 'of ben' })
    waiting[0]?.()
    await turn()
    expect(controller.get(Todo, { id: 5 })).toMatchObject({ title: 'of ben' })
    await expect(ofAda).rejects.toMatchObject({ code: 'hard-reset' })
    expect(sent).toHaveLength(2)
  })
})
