import { Controller, Endpoint } from '@selfsame/core'
import { dehydrate, hydrate } from '@selfsame/core/hydration'
import { Todo, listenersOf, reply, retainersOf } from '@selfsame/conformance'
import { Activity, StrictMode, startTransition, useState, useTransition } from 'react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { actAlone, click, createStage, forbidConsole, openPage, settle } from '../test-app.js'
import { AsyncBoundary, DataProvider, useDLE, useFetch, useSuspense, useSuspenseAll } from './index.js'

const route = 'GET /todo/5'
let stage: ReturnType<typeof createStage>
let controller: Controller

beforeEach(() => {
  stage = createStage()
  ;({ controller } = stage)
  forbidConsole()
})

/** The page of an application. `…` is its fallback; the text of an error begins with `!`. */
function App({ children }: { readonly children: ReactNode }) {
  return (
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="…" errorFallback={({ error }) => `!${error.message}`}>
        {children}
      </AsyncBoundary>
    </DataProvider>
  )
}

function Title({ id }: { readonly id: number }) {
  return useSuspense(stage.api.todo.get, { id }).title
}

describe('an Endpoint without a name that is made anew in each render', () => {
  const remade = () => new Endpoint(({ id }: { id: number }) => stage.api.todo.get({ id }))
  const hooks = {
    useSuspense: () => useSuspense(remade(), { id: 5 }).title,
    useDLE: () => useDLE(remade(), { id: 5 }).error?.message,
  }

  test.each(Object.entries(hooks))('is one error, and no loop: %s', async (_, useTitle) => {
    const Reading = () => useTitle()
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const page = await openPage(
      <App>
        <Reading />
      </App>,
    )
    await settle()
    await settle()
    expect(page.text).toMatch(/Endpoint is created again each time/)
    // React renders once more, to check whether it fails again.
    expect(stage.server.requests.length).toBeLessThan(5)
    logged.mockRestore()
  })
})

describe('Stale data beside a reader that fails', () => {
  const Titles = {
    'of its parent': () => {
      useSuspense(stage.api.todo.getList)
      return <Title id={5} />
    },
    'of its parent, by useSuspenseAll': () => {
      useSuspenseAll([[stage.api.todo.getList]])
      return <Title id={5} />
    },
    'of its component': () => {
      useSuspense(stage.api.todo.getList)
      return useSuspense(stage.api.todo.get, { id: 5 }).title
    },
    'of its sibling': () => {
      const List = () => useSuspense(stage.api.todo.getList).length
      return (
        <>
          <List />
          <Title id={5} />
        </>
      )
    },
  }

  test.each(Object.entries(Titles))(
    'is fetched, although its reader is not mounted: %s',
    async (_, Reading) => {
      const { api, server } = stage
      await controller.fetch(api.todo.getList)
      controller.expireAll(api.todo.getList)
      controller.invalidate(api.todo.get, { id: 5 })
      server.requests.length = 0
      server.route(route, reply.status(404, {}))
      const page = await openPage(
        <App>
          <Reading />
        </App>,
      )
      await settle()
      await settle()
      expect(page.text).toMatch(/^!/)
      expect([...server.requests].sort()).toEqual(['GET /todo', route])
    },
  )
})

test('fetches restored data once, though React shows it later than it was answered', async () => {
  const { api, server, clock } = stage
  await controller.fetch(api.todo.get, { id: 5 })
  const kept = dehydrate(controller)
  clock.advance(60_000)
  controller = new Controller({ clock })
  server.requests.length = 0
  server.hold(route)
  // React waits 300 ms after a fallback before it shows content, but not in `act`.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  const container = document.createElement('div')
  const root = createRoot(container)
  onTestFinished(() => {
    root.unmount()
    vi.unstubAllGlobals()
  })
  root.render(
    <App>
      <Title id={5} />
    </App>,
  )
  await vi.waitFor(() => expect(server.requests).toEqual([route]))
  await vi.waitFor(() => expect(container.textContent).toBe('…'))
  hydrate(controller, kept)
  await vi.waitFor(() => expect(retainersOf(controller)).toBe(0))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(container.textContent).toBe('…')
  server.release()
  await vi.waitFor(() => expect(container.textContent).toBe('Todo 5'))
  await vi.waitFor(() => expect(retainersOf(controller)).toBe(1))
  expect(server.requests).toEqual([route])
})

describe('in StrictMode', () => {
  test('makes one request and holds one subscription (B12)', async () => {
    const page = await openPage(
      <StrictMode>
        <App>
          <Title id={5} />
        </App>
      </StrictMode>,
    )
    await settle()
    expect(page.text).toBe('Todo 5')
    expect(stage.server.requests).toEqual([route])
    expect([listenersOf(controller), retainersOf(controller)]).toEqual([1, 1])
    await page.unmount()
    expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
  })

  test('fetches Stale data once', async () => {
    await controller.fetch(stage.api.todo.get, { id: 5 })
    stage.clock.advance(60_000)
    const page = await openPage(
      <StrictMode>
        <App>
          <Title id={5} />
        </App>
      </StrictMode>,
    )
    await settle()
    expect(page.text).toBe('Todo 5')
    expect(stage.server.requests).toEqual([route, route])
  })

  test('fetches once where data is Stale as soon as it is there', async () => {
    const { api, server } = stage
    function Short() {
      return useSuspense(api.shortLived, { id: 5 }).title
    }
    const page = await openPage(
      <StrictMode>
        <App>
          <Short />
        </App>
      </StrictMode>,
    )
    await settle()
    expect(page.text).toBe('Todo 5')
    expect(server.requests).toEqual([route])
  })
})

test('starts the fetches of siblings in parallel', async () => {
  stage.server.hold(route, 'GET /todo/6')
  const page = await openPage(
    <App>
      <Title id={5} />
      {', '}
      <Title id={6} />
    </App>,
  )
  await settle()
  expect(page.text).toBe('…')
  expect(stage.server.requests).toEqual([route, 'GET /todo/6'])
  stage.server.release()
  await settle()
  expect(page.text).toBe('Todo 5, Todo 6')
})

test('a component with useFetch before it starts all of its fetches at once', async () => {
  stage.server.hold(route, 'GET /todo/6')
  function Both() {
    useFetch(stage.api.todo.get, { id: 6 })
    return `${useSuspense(stage.api.todo.get, { id: 5 }).title}, ${useSuspense(stage.api.todo.get, { id: 6 }).title}`
  }
  const page = await openPage(
    <App>
      <Both />
    </App>,
  )
  await settle()
  expect(stage.server.requests).toEqual(['GET /todo/6', route])
  stage.server.release()
  await settle()
  expect(page.text).toBe('Todo 5, Todo 6')
  expect(stage.server.requests).toEqual(['GET /todo/6', route])
})

describe('in a transition', () => {
  test('the old screen stays while changed arguments are waited for', async () => {
    function Chooser() {
      const [id, setId] = useState(5)
      const [isPending, start] = useTransition()
      return (
        <button onClick={() => start(() => setId(6))}>
          {isPending && 'pending '}
          <Title id={id} />
        </button>
      )
    }
    const page = await openPage(
      <App>
        <Chooser />
      </App>,
    )
    await settle()
    stage.server.hold('GET /todo/6')
    await click(page)
    await settle()
    expect(page.text).toBe('pending Todo 5')
    stage.server.release()
    await settle()
    expect(page.text).toBe('Todo 6')
    expect(stage.server.requests).toEqual([route, 'GET /todo/6'])
  })

  test('the old screen stays while an invalidated call is waited for, also in urgent renders', async () => {
    function Parent() {
      const [count, setCount] = useState(0)
      return (
        <button onClick={() => setCount(count + 1)}>
          {count} <Title id={5} />
        </button>
      )
    }
    const page = await openPage(
      <App>
        <Parent />
      </App>,
    )
    await settle()
    stage.server.route(route, { id: 5, title: 'Newer' })
    stage.server.hold(route)
    await actAlone(() => startTransition(() => controller.invalidate(stage.api.todo.get, { id: 5 })))
    await settle()
    expect(page.text).toBe('0 Todo 5')
    await click(page)
    expect(page.text).toBe('1 Todo 5')
    stage.server.release()
    await settle()
    expect(page.text).toBe('1 Newer')
    expect(stage.server.requests).toEqual([route, route])
  })

  test('outside of one, an invalidated call shows the fallback', async () => {
    const page = await openPage(
      <App>
        <Title id={5} />
      </App>,
    )
    await settle()
    stage.server.hold(route)
    await actAlone(() => controller.invalidate(stage.api.todo.get, { id: 5 }))
    expect(page.text).toBe('…')
  })

  test('a reset shows the fallback at once, because nothing of the last user may stay (F18)', async () => {
    const page = await openPage(
      <App>
        <Title id={5} />
      </App>,
    )
    await settle()
    stage.server.hold(route)
    await actAlone(() => startTransition(() => controller.resetAll()))
    expect(page.text).toBe('…')
  })

  test('the old screen stays where a change of a record makes a child wait', async () => {
    function Author() {
      const { userId } = useSuspense(stage.api.todo.get, { id: 5 })
      return <User id={userId} />
    }
    function User({ id }: { readonly id: number }) {
      return useSuspense(stage.api.user.get, { id }).name
    }
    const page = await openPage(
      <App>
        <Author />
      </App>,
    )
    await settle()
    expect(page.text).toBe('User 1')
    stage.server.hold('GET /user/2')
    await actAlone(() => startTransition(() => controller.set(Todo, { id: 5 }, { userId: 2 })))
    await settle()
    expect(page.text).toBe('User 1')
    stage.server.release()
    await settle()
    expect(page.text).toBe('User 2')
  })

  for (const [what, drop] of [
    ['invalidated', () => controller.invalidate(stage.api.todo.get, { id: 6 })],
    ['reset', () => controller.resetAll()],
  ] as const) {
    test(`a call that is ${what} while it is waited for is asked anew`, async () => {
      function Chooser() {
        const [id, setId] = useState<number | null>(null)
        return (
          <button onClick={() => startTransition(() => setId(6))}>
            {id === null ? 'none' : <Title id={id} />}
          </button>
        )
      }
      const page = await openPage(
        <App>
          <Chooser />
        </App>,
      )
      stage.server.hold('GET /todo/6')
      await click(page)
      await settle()
      expect(page.text).toBe('none')
      stage.server.route('GET /todo/6', { id: 6, title: 'Newer' })
      drop()
      await settle()
      expect(page.text).toBe('none')
      expect(stage.server.requests).toEqual(['GET /todo/6', 'GET /todo/6'])
      stage.server.releaseOne('GET /todo/6', 'first')
      await settle()
      expect(page.text).toBe('none')
      stage.server.release()
      await settle()
      expect(page.text).toBe('Newer')
      expect(stage.server.requests).toEqual(['GET /todo/6', 'GET /todo/6'])
    })
  }
})

test('an input that edits a record shows what is typed in the same event', async () => {
  function Field() {
    const { title } = useSuspense(stage.api.todo.get, { id: 5 })
    return (
      <input
        value={title}
        onChange={({ target }) => controller.set(Todo, { id: 5 }, { title: target.value })}
      />
    )
  }
  const page = await openPage(
    <App>
      <Field />
    </App>,
  )
  await settle()
  const input = page.container.querySelector('input')
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  setValue?.call(input, 'Todo 5x')
  input?.dispatchEvent(new Event('input', { bubbles: true }))
  expect(input?.value).toBe('Todo 5x')
  await Promise.resolve()
  expect(input?.getAttribute('value')).toBe('Todo 5x')
})

describe('an endpoint made anew in each render', () => {
  test('makes no request for a render, and the next request is that of the last render', async () => {
    const sent: string[] = []
    function Greeting({ token }: { readonly token: string }) {
      const read = async () => {
        sent.push(token)
        return [{ id: 5, title: `of ${token}` }]
      }
      return useSuspense(new Endpoint(read, { name: 'greeting', schema: [Todo] }))[0]?.title
    }
    const page = await openPage(
      <App>
        <Greeting token="a" />
      </App>,
    )
    await settle()
    expect(page.text).toBe('of a')
    stage.clock.advance(60_000)
    await page.render(
      <App>
        <Greeting token="b" />
      </App>,
    )
    await settle()
    expect(sent).toEqual(['a'])
    await actAlone(() => controller.resetAll())
    await settle()
    expect(page.text).toBe('of b')
    expect(sent).toEqual(['a', 'b'])
  })
})

describe('in an Activity', () => {
  function Tab({ mode, children }: { readonly mode: 'visible' | 'hidden'; readonly children: ReactNode }) {
    return (
      <App>
        <Activity mode={mode}>
          <AsyncBoundary fallback="…">{children}</AsyncBoundary>
        </Activity>
      </App>
    )
  }

  test('holds nothing while hidden, and catches up when shown (B9)', async () => {
    const page = await openPage(
      <Tab mode="visible">
        <Title id={5} />
      </Tab>,
    )
    await settle()
    await page.render(
      <Tab mode="hidden">
        <Title id={5} />
      </Tab>,
    )
    expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
    controller.set(Todo, { id: 5 }, { title: 'Changed' })
    await page.render(
      <Tab mode="visible">
        <Title id={5} />
      </Tab>,
    )
    expect(page.text).toBe('Changed')
    expect([listenersOf(controller), retainersOf(controller)]).toEqual([1, 1])
    expect(stage.server.requests).toEqual([route])
  })

  test('fetches data that became Stale while hidden, and shows it meanwhile', async () => {
    const page = await openPage(
      <Tab mode="visible">
        <Title id={5} />
      </Tab>,
    )
    await settle()
    await page.render(
      <Tab mode="hidden">
        <Title id={5} />
      </Tab>,
    )
    stage.clock.advance(60_000)
    stage.server.route(route, { id: 5, title: 'Newer' })
    stage.server.hold(route)
    await page.render(
      <Tab mode="visible">
        <Title id={5} />
      </Tab>,
    )
    expect(page.text).toBe('Todo 5')
    stage.server.release()
    await settle()
    expect(page.text).toBe('Newer')
    expect(stage.server.requests).toEqual([route, route])
  })

  test('waits for data that became Invalid by its age while hidden', async () => {
    function Fresh() {
      return useSuspense(stage.api.freshOnly, { id: 5 }).title
    }
    const page = await openPage(
      <Tab mode="visible">
        <Fresh />
      </Tab>,
    )
    await settle()
    await page.render(
      <Tab mode="hidden">
        <Fresh />
      </Tab>,
    )
    stage.clock.advance(60_000)
    stage.server.hold(route)
    await page.render(
      <Tab mode="visible">
        <Fresh />
      </Tab>,
    )
    expect(page.text).toBe('…')
    stage.server.release()
    await settle()
    expect(page.text).toBe('Todo 5')
    expect(stage.server.requests).toEqual([route, route])
  })
})

test('a fetch that a render starts updates nobody during that render', async () => {
  function Fetching() {
    const promise = useFetch(stage.api.todo.get, { id: 5 })
    return promise === undefined ? 'idle' : 'fetching'
  }
  function Late() {
    const [isOpen, setOpen] = useState(false)
    return <button onClick={() => setOpen(true)}>{isOpen && <Title id={5} />}</button>
  }
  const page = await openPage(
    <App>
      <Fetching /> <Late />
    </App>,
  )
  await settle()
  await actAlone(() => controller.invalidate(stage.api.todo.get, { id: 5 }))
  await click(page)
  await settle()
  expect(page.text).toBe('fetching Todo 5')
})

test('a render tells apart a record that changed between its render and its effects', async () => {
  await controller.fetch(stage.api.todo.get, { id: 5 })
  function Changing() {
    const { title } = useSuspense(stage.api.todo.get, { id: 5 })
    if (title === 'Todo 5') controller.set(Todo, { id: 5 }, { title: 'Changed' })
    return title
  }
  const page = await openPage(
    <App>
      <Changing />
    </App>,
  )
  expect(page.text).toBe('Changed')
})
