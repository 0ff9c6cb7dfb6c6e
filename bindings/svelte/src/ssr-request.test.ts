// @vitest-environment node
import { callsOf } from '@selfsame/core/bindings'
import { readable } from 'svelte/store'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { load } from '../testing/load.js'
import type * as Page from '../testing/server-request.js'

describe.each([{ isAsync: false }, { isAsync: true }])('createServerRequest, %o', ({ isAsync }) => {
  let page: typeof Page
  let end: () => Promise<void>

  beforeAll(async () => {
    const compilerOptions = { experimental: { async: isAsync } }
    ;({ module: page, end } = await load<typeof Page>('/testing/server-request.ts', compilerOptions))
  }, 180_000)

  afterAll(() => end())

  test('waits for all that is read, and carries it', async () => {
    const { api, render, request, server, clock } = page.openRequest()
    const { useFetch, useSuspense } = page.hooks
    const { text, script, errors } = await render([
      () => {
        const todo = useSuspense(api.todo.get, { id: 5 })
        return () => todo.current.title
      },
      () => {
        useFetch(api.user.get, { id: 1 })
        return () => 'unread'
      },
    ])
    expect(text).toBe('|Todo 5|unread|')
    expect(server.requests).toEqual(['GET /todo/5', 'GET /user/1'])
    expect(script).toMatch(/^<script type="application\/json" id="selfsame">.*User 1.*<\/script>$/)
    expect(errors).toEqual([])
    expect([callsOf(request.controller).isDisposed, clock.timers]).toEqual([true, 0])
  })

  test.each([
    ['a getter', (value: boolean) => () => value],
    ['a store', (value: boolean) => readable(value)],
  ])('waits for a reader whose option ssr is %s of true', async (_, optionOf) => {
    const { api, render, server } = page.openRequest()
    const { useDLE, withOptions } = page.hooks
    const { text } = await render([
      () => {
        const waited = useDLE(withOptions(api.todo.get, { ssr: optionOf(true) }), { id: 5 })
        const other = useDLE(withOptions(api.todo.get, { ssr: optionOf(false) }), { id: 6 })
        return () => `${waited.data?.title} ${other.data?.title}`
      },
    ])
    expect(text).toBe('|Todo 5 undefined|')
    expect(server.requests).toEqual(['GET /todo/5'])
  })

  test('asks for all of a component at once, and for what needs its data after it', async () => {
    const { api, render, server } = page.openRequest()
    const { useSuspense } = page.hooks
    server.hold('GET /todo/5', 'GET /user/2')
    const rendered = render([
      () => {
        const todo = useSuspense(api.todo.get, { id: 5 })
        const other = useSuspense(api.user.get, { id: 2 })
        const user = useSuspense(api.user.get, () => ({ id: todo.current.userId }))
        return () => `${user.current.name} ${other.current.name}`
      },
    ])
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(server.requests).toEqual(['GET /todo/5', 'GET /user/2'])
    server.release()
    expect((await rendered).text).toBe('|User 1 User 2|')
    expect(server.requests).toEqual(['GET /todo/5', 'GET /user/2', 'GET /user/1'])
  })

  test('renders once where everything was fetched, and again where readers that do not wait would show more', async () => {
    const { useCache, useSuspense } = page.hooks
    for (const isFetched of [true, false]) {
      const { api, render, request } = page.openRequest()
      if (isFetched) await request.controller.fetch(api.todo.get, { id: 5 })
      let renders = 0
      const { text } = await render([
        () => {
          renders++
          const todo = useCache(api.todo.get, { id: 5 })
          return () => todo.current?.title
        },
        () => {
          const todo = useSuspense(api.todo.get, { id: 5 })
          return () => todo.pending || todo.current.title
        },
      ])
      expect([text, renders]).toEqual(['|Todo 5|Todo 5|', isFetched ? 1 : 2])
    }
  })

  test('shows the error of a call in its boundary, tells of it and carries it once', async () => {
    const { api, render, server } = page.openRequest()
    const { useSuspense } = page.hooks
    server.route('GET /todo/5', page.reply.status(404))
    const { body, text, script, errors } = await render([
      () => {
        const todo = useSuspense(api.todo.get, { id: 5 })
        return () => todo.current.title
      },
      () => () => 'the rest',
    ])
    const message = 'Todo.get failed: 404 from GET https://api.test/todo/5.'
    expect(text).toContain(`NetworkError ${message}`)
    expect(text).toContain('|the rest|')
    expect(errors).toEqual([expect.objectContaining({ name: 'NetworkError', status: 404, message })])
    expect(body).toContain('"selfsame":"GET https://api.test/todo/5"')
    expect(script).toContain('NetworkError')
    expect(server.requests).toEqual(['GET /todo/5'])
  })

  test('asks once for what failed, however often it renders', async () => {
    const { api, render, server } = page.openRequest()
    const { useSuspense } = page.hooks
    const getFailing = api.user.get.extend({ errorExpiryLength: 0 })
    server.route('GET /user/1', page.reply.status(500))
    const { text } = await render([
      () => {
        const user = useSuspense(getFailing, { id: 1 })
        return () => user.current.name
      },
      () => {
        const todo = useSuspense(api.todo.get, { id: 5 })
        const article = useSuspense(api.article.get, () => ({ id: todo.current.userId }))
        const other = useSuspense(api.todo.get, () => ({ id: Number(article.current.id) + 5 }))
        return () => other.current.title
      },
    ])
    expect(text).toContain('Todo 6')
    expect(server.requests).toEqual(['GET /user/1', 'GET /todo/5', 'GET /article/1', 'GET /todo/6'])
  })

  test('fails with the error of a call that no boundary shows', async () => {
    const { api, render, request, server } = page.openRequest()
    const { useSuspense } = page.hooks
    server.route('GET /todo/5', page.reply.status(404))
    const todo = () => {
      const handle = useSuspense(api.todo.get, { id: 5 })
      return () => handle.current.title
    }
    await expect(render([todo], { showsErrors: false })).rejects.toMatchObject({ status: 404 })
    expect(callsOf(request.controller).isDisposed).toBe(true)
  })

  test('leaves an error that is not of a call to the application', async () => {
    const broken = () => () => {
      throw new Error('A secret')
    }
    await expect(page.openRequest().render([broken])).rejects.toThrow('A secret')
    const transformError = () => ({ message: 'Something went wrong.' })
    const { body, errors } = await page.openRequest().render([broken], { transformError })
    expect(body).not.toContain('secret')
    expect(body).toContain('Something went wrong.')
    expect(errors).toEqual([])
  })

  test('says what is waited for without end', async () => {
    const { api, render, server } = page.openRequest()
    const { useSuspense } = page.hooks
    let id = 0
    const ever = () => {
      server.route(`greet ${id}`, { greeting: 'Hello', todo: { id: 5 } })
      const greeting = useSuspense(api.greet, { id: id++ })
      return () => greeting.current.greeting
    }
    await expect(render([ever])).rejects.toThrow('useSuspense(greet)')
    expect(id).toBe(20)
  })

  test('ends with the visit: what was asked for is aborted, and nothing stays', async () => {
    const left = new AbortController()
    const { api, clock, render, request, server } = page.openRequest({ signal: left.signal })
    const { useSuspense } = page.hooks
    server.hold('GET /todo/5')
    const rendered = render([
      () => {
        const todo = useSuspense(api.todo.get, { id: 5 })
        return () => todo.current.title
      },
    ])
    setTimeout(() => left.abort(new Error('Gone')), 5)
    await expect(rendered).rejects.toThrow('Gone')
    expect(server.aborted).toEqual(['GET /todo/5'])
    expect([callsOf(request.controller).isDisposed, clock.timers]).toEqual([true, 0])
  })
})
