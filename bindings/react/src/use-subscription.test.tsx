import { listenersOf, retainersOf } from '@selfsame/conformance'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { createStage, forbidConsole, openPage, settle } from '../test-app.js'
import { DataProvider, useSubscription } from './index.js'

const route = 'GET /todo/5'

function createPage() {
  forbidConsole()
  const stage = createStage()
  const polled = stage.api.todo.get.extend({ pollFrequency: 5000 })
  function Subscriber() {
    useSubscription(polled, { id: 5 })
    return 'subscribed'
  }
  const app = (
    <StrictMode>
      <DataProvider controller={stage.controller}>
        <Subscriber />
      </DataProvider>
    </StrictMode>
  )
  return { ...stage, app }
}

test('in StrictMode polls once, and ends with the component (B12)', async () => {
  const { app, clock, controller, server } = createPage()
  const page = await openPage(app)
  await settle()
  expect(server.requests).toEqual([route])
  for (let count = 2; count <= 4; count++) {
    clock.advance(5000)
    await settle()
    expect(server.requests).toHaveLength(count)
  }
  await page.unmount()
  clock.advance(60_000)
  await settle()
  expect(server.requests).toHaveLength(4)
  expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
})

test('on a server polls nothing and sets no timer', async () => {
  const { app, clock, controller, server } = createPage()
  expect(renderToString(app)).toBe('subscribed')
  await settle()
  expect(server.requests).toEqual([])
  expect(clock.timers).toBe(0)
  expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
})
