import { listenersOf, retainersOf } from '@selfsame/conformance'
import { effectScope, h } from 'vue'
import { expect, test } from 'vitest'
import { createStage, mountPage, settle, watchConsole } from '../test-support.js'
import { useSubscription } from './index.js'

watchConsole()

const route = 'GET /todo/5'

test('in an effect scope it polls from the call on until the scope stops', async () => {
  const { api, clock, controller, server } = createStage()
  const polled = api.todo.get.extend({ pollFrequency: 5000 })
  const { app } = await mountPage(controller, () => h('p'))
  const scope = effectScope(true)
  app.runWithContext(() => scope.run(() => useSubscription(polled, { id: 5 })))
  await settle()
  clock.advance(5000)
  await settle()
  expect(server.requests).toEqual([route, route])
  scope.stop()
  clock.advance(60_000)
  await settle()
  expect(server.requests).toEqual([route, route])
  expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
})
