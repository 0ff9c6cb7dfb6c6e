import { Controller } from '@selfsame/core'
import { connect } from '@selfsame/core/live'
import { expect, test } from 'vitest'
import { ManualClock } from '../../conformance/src/clock.js'
import {
  createEventSources,
  createSockets,
} from '../../core/src/live/testing-fakes.js'
import { createExamples } from './live.js'

function createStage() {
  const clock = new ManualClock()
  const controller = new Controller({ clock })
  const { Socket, last: socket } = createSockets()
  const { Source, last: source } = createEventSources()
  const listeners = new Map<string, (status: string) => void>()
  const examples = createExamples(Socket, Source, {
    status: (id) => Promise.resolve(`${id} is off`),
    onStatus: (id, listener) => {
      listeners.set(id, listener)
      return () => listeners.delete(id)
    },
  })
  return { clock, controller, socket, source, listeners, ...examples }
}

test('a socket answers calls, and changes the records of a list', () => {
  const { clock, controller, getPrice, getPrices, socket } = createStage()
  controller.setResponse(getPrices, [{ symbol: 'A', amount: 1 }])
  connect(controller, getPrice, { symbol: 'A' })
  connect(controller, getPrices)
  socket().accept()
  expect(socket().sent).toEqual([{ subscribe: 'A' }, { subscribe: '*' }])
  socket().tell({ symbol: 'A', amount: 2 })
  clock.advance(16)
  expect(controller.read(getPrices).data?.[0]).toMatchObject({ amount: 2 })
  expect(controller.read(getPrice, { symbol: 'A' }).data).toBe(
    controller.read(getPrices).data?.[0],
  )
})

test('events create, update and delete the records of a list', () => {
  const { clock, controller, getTodos, source } = createStage()
  controller.setResponse(getTodos, [{ id: 1, title: 'a' }])
  connect(controller, getTodos)
  source().accept()
  source().tell('created', { id: 2, title: 'b' })
  source().tell('updated', { id: 2, title: 'c' })
  source().tell('deleted', { id: 1 })
  clock.advance(16)
  expect(controller.read(getTodos).data).toEqual([{ id: 2, title: 'c' }])
})

test('anything that sends can be a stream', () => {
  const { controller, getStatus, listeners } = createStage()
  const end = connect(controller, getStatus, { id: 'lamp' })
  listeners.get('lamp')?.('on')
  expect(controller.read(getStatus, { id: 'lamp' }).data).toBe('on')
  end()
  expect(listeners.size).toBe(0)
})
