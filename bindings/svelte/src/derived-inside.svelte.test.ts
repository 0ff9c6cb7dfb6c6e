import { ManualClock, Server, createApi, reply, routeSamples, todoFields } from '@selfsame/conformance'
import { nextTask } from '@selfsame/conformance/next-task'
import { Controller } from '@selfsame/core'
import { render } from '@testing-library/svelte'
import { tick } from 'svelte'
import { expect, test } from 'vitest'
import DerivedInside from '../testing/DerivedInside.svelte'

async function open(prepare: (server: Server) => void = () => {}, isOpen = true) {
  const server = new Server(new ManualClock())
  routeSamples(server)
  prepare(server)
  const controller = new Controller()
  const props = { api: createApi(server), controller, id: 5, isOpen }
  const { container, rerender } = render(DerivedInside, { props })
  async function settle() {
    for (let turn = 0; turn < 4; turn++) {
      await nextTask()
      await tick()
    }
  }
  await settle()
  const text = () => (container.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
  const go = async (next: Partial<typeof props>) => {
    await rerender(next)
    await settle()
  }
  return { server, controller, container, settle, text, go, api: props.api }
}

test('a $derived that is read in a boundary of its component follows the arguments and the data', async () => {
  const { api, controller, text, go, settle } = await open()
  expect(text()).toBe('page Item 5')
  controller.set(api.todo.get.schema, { id: 5 }, { title: 'Changed' })
  await settle()
  expect(text()).toBe('page Changed')
  await go({ id: 6 })
  expect(text()).toBe('page Item 6')
  controller.set(api.todo.get.schema, { id: 6 }, { title: 'Changed' })
  await settle()
  expect(text()).toBe('page Changed')
})

test('also if they change before the data is there', async () => {
  const { server, text, go, settle } = await open((server) => server.hold('GET /todo/5', 'GET /todo/6'))
  expect(text()).toBe('page …')
  await go({ id: 6 })
  expect(text()).toBe('page …')
  server.release()
  await settle()
  expect(text()).toBe('page Item 6')
})

test('also after an error', async () => {
  const failing = (server: Server) => server.route('GET /todo/5', reply.status(500, {}))
  const { server, container, text, go, settle } = await open(failing)
  expect(text()).toBe('page Try again')
  server.route('GET /todo/5', todoFields(5))
  container.querySelector('button')?.click()
  await settle()
  expect(text()).toBe('page Item 5')
  await go({ id: 6 })
  expect(text()).toBe('page Item 6')
})

test('also if the boundary is opened later', async () => {
  const { server, text, go, settle } = await open((server) => server.hold('GET /todo/5'), false)
  expect(text()).toBe('page')
  await go({ isOpen: true })
  expect(text()).toBe('page …')
  server.release()
  await settle()
  expect(text()).toBe('page Item 5')
  await go({ id: 6 })
  expect(text()).toBe('page Item 6')
})
