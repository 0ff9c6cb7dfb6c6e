import { listenersOf, reply } from '@selfsame/conformance'
import { StrictMode, useState } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import { click, createStage, forbidConsole, openPage, settle } from '../test-app.js'
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
