import { reply } from '@selfsame/conformance'
import { mount as mountComponent } from 'svelte'
import { describe, expect, test } from 'vitest'
import { createStage } from '../testing/stage.js'
import Probe from '../testing/Probe.svelte'
import { provideController, useSuspense } from './index.js'

const route = 'GET /todo/5'

describe('AsyncBoundary', () => {
  test('keeps the state of content that waits anew, and hides it', async () => {
    const { api, controller, mount, screen, server, settle } = createStage()
    await controller.fetch(api.todo.get, { id: 5 })
    mount(() => {
      const todo = useSuspense(api.todo.get, { id: 5 })
      return () => todo.current.title
    })
    await settle()
    const input = document.querySelector('input')
    server.hold(route)
    controller.invalidate(api.todo.get, { id: 5 })
    await settle()
    expect(screen()).toBe('…')
    expect(document.querySelector('input')).toBe(input)
    server.release()
    await settle()
    expect(screen()).toBe('Todo 5')
    expect(document.querySelector('input')).toBe(input)
  })

  test('leaves content that waits anew on screen with keepPrevious, but not over a reset', async () => {
    const { api, controller, mount, screen, server, settle } = createStage()
    mount(
      () => {
        const todo = useSuspense(api.todo.get, { id: 5 })
        return () => `${todo.current.title}${todo.pending ? ' (pending)' : ''}`
      },
      { keepPrevious: true },
    )
    await settle()
    server.hold(route)
    controller.invalidate(api.todo.get, { id: 5 })
    await settle()
    expect(screen()).toBe('Todo 5 (pending)')
    controller.resetAll()
    await settle()
    expect(screen()).toBe('…')
    server.release()
    await settle()
    expect(screen()).toBe('Todo 5')
  })

  test('runs the effects of a fallback', async () => {
    const { api, mount, server, settle } = createStage()
    let fallbacks = 0
    server.hold(route)
    mount(
      () => {
        const todo = useSuspense(api.todo.get, { id: 5 })
        return () => todo.current.title
      },
      { onFallback: () => fallbacks++ },
    )
    await settle()
    expect(fallbacks).toBe(1)
    server.release()
    await settle()
  })

  test('serves handles that were made around it', async () => {
    const { api, controller, mount, screen, server, settle } = createStage()
    let id = $state(5)
    server.hold('GET /todo/6')
    mount(
      () => {
        const todo = useSuspense(api.todo.get, () => ({ id }))
        return () => todo.current.title
      },
      { boundary: 'around' },
    )
    await settle()
    expect(screen()).toBe('Todo 5')
    id = 6
    await settle()
    expect(screen()).toBe('…')
    server.release()
    await settle()
    expect(screen()).toBe('Todo 6')
    server.route('GET /todo/6', reply.status(404))
    controller.invalidate(api.todo.get, { id: 6 })
    await settle()
    expect(screen()).toContain('404')
    server.route('GET /todo/6', { id: 6, title: 'Found' })
    document.querySelector('button')?.click()
    await settle()
    expect(screen()).toBe('Found')
  })

  test('gives errors to the boundary around it where it has no errorFallback', async () => {
    const { api, mount, screen, server, settle } = createStage()
    server.route(route, reply.status(404))
    mount(
      () => {
        const todo = useSuspense(api.todo.get, { id: 5 })
        return () => todo.current.title
      },
      { hasErrorFallback: false },
    )
    await settle()
    expect(screen()).toContain('404')
    expect(document.querySelector('em')).not.toBeNull()
  })

  test('shows errors that are none of its readers’, of any kind, and can be reset twice at once', async () => {
    const { mount, screen, settle } = createStage()
    let isBroken = true
    mount(() => () => {
      if (isBroken) throw 'a string'
      return 'mended'
    })
    await settle()
    expect(screen()).toBe('a string')
    isBroken = false
    const button = document.querySelector('button')
    button?.click()
    button?.click()
    await settle()
    expect(screen()).toBe('mended')
  })
})

test('reading a handle that has nothing, where no AsyncBoundary is, says what to do', () => {
  const { api, controller } = createStage()
  const mountAlone = () =>
    mountComponent(Probe, {
      target: document.body,
      props: {
        setup: () => {
          const todo = useSuspense(api.todo.get, { id: 5 })
          return () => todo.current.title
        },
      },
      context: new Map([[Symbol.for('@selfsame/svelte/controller'), controller]]),
    })
  expect(mountAlone).toThrow(
    'useSuspense(Todo.get) was read before its data was there.\n' +
      '  Put the component into an <AsyncBoundary>, look at `pending` before `current`, or await the handle. ' +
      'When rendering on a server, await controller.fetch() first.',
  )
})

test('provideController gives a Controller to the hooks of components below', () => {
  const { controller } = createStage()
  let provided
  const setup = () => {
    provided = provideController(controller)
    return () => ''
  }
  mountComponent(Probe, { target: document.body, props: { setup } })
  expect(provided).toBe(controller)
})
