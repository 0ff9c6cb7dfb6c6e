import { listenersOf, retainersOf } from '@selfsame/conformance'
import { Endpoint } from '@selfsame/core'
import { callsOf } from '@selfsame/core/bindings'
import { expect, test } from 'vitest'
import { createStage } from '../testing/stage.js'
import { useSubscription } from './index.js'

test('what a request reads is no reason to connect anew; it ends with the component', async () => {
  const { clock, controller, mount, settle } = createStage()
  let token = $state('a')
  const asked: string[] = []
  const polled = new Endpoint(async () => asked.push(token), { name: 'polled', pollFrequency: 5000 })
  const { unmount } = mount(() => {
    useSubscription(polled)
    return () => 'subscribed'
  })
  await settle()
  const listeners = [...callsOf(controller).store.results.values()]
    .flat()
    .flatMap((row) => [...row.listeners])
  clock.advance(4000)
  token = 'b'
  await settle()
  expect([...callsOf(controller).store.results.values()].flat().flatMap((row) => [...row.listeners])).toEqual(
    listeners,
  )
  clock.advance(1000)
  await settle()
  expect(asked).toEqual(['a', 'b'])
  await unmount()
  clock.advance(60_000)
  await settle()
  expect(asked).toEqual(['a', 'b'])
  expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
})
