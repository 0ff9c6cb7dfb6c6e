import { callsOf } from '@selfsame/core/bindings'
import { listenersOf, reply } from '@selfsame/conformance'
import { StrictMode, startTransition, useState } from 'react'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import { actAlone, click, createStage, forbidConsole, openPage, settle } from '../test-app.js'
import { AsyncBoundary, DataProvider, useSuspense } from './index.js'
import type { ErrorFallbackProps } from './index.js'

const route = 'GET /todo/5'
let stage: ReturnType<typeof createStage>

beforeEach(() => {
  stage = createStage()
  forbidConsole()
})

function Title() {
  return useSuspense(stage.api.todo.get, { id: 5 }).title
}

function Failed({ error, reset }: ErrorFallbackProps) {
  return <button onClick={reset}>{`!${error.message}`}</button>
}

test('reset clears the errors thrown inside, those of nested boundaries without an errorFallback too (B5)', async () => {
  stage.server.route(route, reply.status(500))
  const page = await openPage(
    <DataProvider controller={stage.controller}>
      <AsyncBoundary fallback="…" errorFallback={Failed}>
        <AsyncBoundary fallback="inner …">
          <Title />
        </AsyncBoundary>
      </AsyncBoundary>
    </DataProvider>,
  )
  await settle()
  expect(page.text).toMatch(/^!.*500/)
  stage.server.route(route, { id: 5, title: 'Back' })
  stage.server.hold(route)
  await click(page)
  expect(page.text).toBe('inner …')
  stage.server.release()
  await settle()
  expect(page.text).toBe('Back')
  expect(stage.server.requests).toEqual([route, route])
})

test('reset renders again what failed for a reason of its own, without a request', async () => {
  let isBroken = true
  function Own() {
    if (isBroken) throw new Error('broken')
    return <Title />
  }
  await stage.controller.fetch(stage.api.todo.get, { id: 5 })
  const page = await openPage(
    <DataProvider controller={stage.controller}>
      <AsyncBoundary errorFallback={Failed}>
        <Own />
      </AsyncBoundary>
    </DataProvider>,
  )
  expect(page.text).toBe('!broken')
  isBroken = false
  await click(page)
  expect(page.text).toBe('Todo 5')
  expect(stage.server.requests).toEqual([route])
})

describe('an error that is on screen', () => {
  test('goes away with its call, those of nested boundaries without an errorFallback too', async () => {
    stage.server.route(route, reply.status(500))
    const page = await openPage(
      <StrictMode>
        <DataProvider controller={stage.controller}>
          <AsyncBoundary errorFallback={Failed}>
            <AsyncBoundary fallback="inner …">
              <Title />
            </AsyncBoundary>
          </AsyncBoundary>
        </DataProvider>
      </StrictMode>,
    )
    await settle()
    expect(page.text).toMatch(/^!.*500/)
    stage.server.route(route, { id: 5, title: 'Back' })
    await stage.controller.fetch(stage.api.todo.get, { id: 5 })
    await settle()
    expect(page.text).toBe('Back')
    expect(stage.server.requests).toEqual([route, route])
    expect(listenersOf(stage.controller)).toBe(1)
  })

  test('stays until the reset when it is none of a reader', async () => {
    let isBroken = true
    function Own() {
      const title = Title()
      if (isBroken) throw new Error('broken')
      return title
    }
    await stage.controller.fetch(stage.api.todo.get, { id: 5 })
    const page = await openPage(
      <DataProvider controller={stage.controller}>
        <AsyncBoundary errorFallback={Failed}>
          <Own />
        </AsyncBoundary>
      </DataProvider>,
    )
    isBroken = false
    await stage.controller.fetch(stage.api.todo.get, { id: 5 })
    await settle()
    expect(page.text).toBe('!broken')
    await click(page)
    expect(page.text).toBe('Todo 5')
  })
})

describe('what is thrown and is no Error', () => {
  for (const thrown of ['a text', null, undefined, { code: 7 }]) {
    test(`${JSON.stringify(thrown)} is shown as an Error, with it as the cause (B6)`, async () => {
      let cause: unknown = 'nothing'
      function Throws(): string {
        // eslint-disable-next-line typescript/only-throw-error, no-throw-literal
        throw thrown
      }
      function Cause({ error }: ErrorFallbackProps) {
        cause = error.cause
        return 'failed'
      }
      const page = await openPage(
        <AsyncBoundary errorFallback={Cause}>
          <Throws />
        </AsyncBoundary>,
      )
      expect(page.text).toBe('failed')
      expect(cause).toBe(thrown)
    })
  }
})

test('an errorFallback keeps its state while what is around it renders again', async () => {
  function Counting() {
    const [count, setCount] = useState(0)
    return <button onClick={() => setCount(count + 1)}>{count}</button>
  }
  function Throws(): string {
    throw new Error('broken')
  }
  const app = () => (
    <AsyncBoundary errorFallback={Counting}>
      <Throws />
    </AsyncBoundary>
  )
  const page = await openPage(app())
  await click(page)
  await page.render(app())
  expect(page.text).toBe('1')
})

describe('new content while an error is shown', () => {
  let id = 5
  let caught = 0

  beforeEach(() => {
    id = 5
    caught = 0
    stage.server.route(route, reply.status(404))
  })

  function TitleOfId() {
    return useSuspense(stage.api.todo.get, { id }).title
  }
  function CountingFailed({ error, reset }: ErrorFallbackProps) {
    const [count, setCount] = useState(0)
    return (
      <>
        <i onClick={() => setCount(count + 1)}>{`!${error.message} ${count}`}</i>
        <button onClick={reset}>reset</button>
      </>
    )
  }
  const app = (keys: readonly unknown[] = [], content: ReactNode = <TitleOfId />) => (
    <DataProvider controller={stage.controller}>
      <AsyncBoundary fallback="…" errorFallback={CountingFailed} resetKeys={keys}>
        {content}
      </AsyncBoundary>
    </DataProvider>
  )
  const open = () => openPage(app(), { onCaughtError: () => caught++ })

  test('that names what failed is not reported again, and leaves the state of the errorFallback', async () => {
    const page = await open()
    await settle()
    await actAlone(() => page.container.querySelector('i')?.click())
    for (let turn = 0; turn < 3; turn++) await page.render(app([turn]))
    stage.clock.advance(20 * 60_000)
    await page.render(app())
    await settle()
    expect(page.text).toMatch(/^!.*404.* 1reset$/)
    expect(caught).toBe(1)
    expect(stage.server.requests).toEqual([route])
    expect(listenersOf(stage.controller)).toBe(1)
  })

  test('is tried when one of resetKeys changes, and its own fallback is shown where it waits', async () => {
    const content = <TitleOfId />
    const page = await openPage(app([5], content))
    await settle()
    id = 6
    stage.server.hold('GET /todo/6')
    await page.render(app([5], content))
    expect(page.text).toMatch(/^!/)
    await page.render(app([6], content))
    expect(page.text).toBe('…')
    stage.server.release()
    await settle()
    expect(page.text).toBe('Todo 6')
    expect(stage.server.requests).toEqual([route, 'GET /todo/6'])
  })

  test('is what a reset asks for, and not what failed', async () => {
    const page = await open()
    await settle()
    id = 6
    await click(page)
    await settle()
    expect(page.text).toBe('Todo 6')
    expect(stage.server.requests).toEqual([route, 'GET /todo/6'])
  })

  test('keeps an error beside Valid data for as long as it is not reset, and fetches then', async () => {
    stage.server.route(route, { id: 5, title: 'First' })
    const page = await open()
    await settle()
    stage.server.route(route, reply.status(410))
    await stage.controller.fetch(stage.api.todo.get, { id: 5 }).catch(() => {})
    await settle()
    await page.render(app())
    expect(page.text).toMatch(/^!.*410/)
    stage.server.route(route, { id: 5, title: 'Back' })
    await click(page)
    await settle()
    expect(page.text).toBe('Back')
    expect(stage.server.requests).toEqual([route, route, route])
  })

  test('makes an error that is none of a reader go away by resetKeys only', async () => {
    let isBroken = true
    function Own() {
      if (isBroken) throw new Error('broken')
      return 'mended'
    }
    const page = await openPage(app([1], <Own />))
    isBroken = false
    await page.render(app([1], <Own />))
    expect(page.text).toMatch(/^!broken/)
    await page.render(app([2], <Own />))
    expect(page.text).toBe('mended')
  })

  test('that fails in another way shows that error', async () => {
    function Own(): string {
      throw new Error('broken')
    }
    const page = await open()
    await settle()
    await page.render(app([], <Own />))
    expect(page.text).toMatch(/^!broken/)
  })

  test('is tried in a transition too, and in StrictMode', async () => {
    function Page() {
      const [key, setKey] = useState(5)
      return (
        <>
          <nav onClick={() => startTransition(() => setKey(6))} />
          {app([key])}
        </>
      )
    }
    const page = await openPage(
      <StrictMode>
        <Page />
      </StrictMode>,
    )
    await settle()
    id = 6
    await actAlone(() => page.container.querySelector('nav')?.click())
    await settle()
    expect(page.text).toBe('Todo 6')
    await page.unmount()
    expect(listenersOf(stage.controller)).toBe(0)
    expect(callsOf(stage.controller).heldErrors.size).toBe(0)
    expect(stage.server.requests).toEqual([route, 'GET /todo/6'])
  })
})
