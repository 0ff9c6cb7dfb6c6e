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

  test('asks once after a reset for each call of content that is made anew', async () => {
    const { api, clock, controller, mount, screen, server, settle } = createStage()
    mount(() => {
      const todo = useSuspense(api.todo.get, { id: 5 })
      const other = useSuspense(api.todo.get, { id: 6 })
      return () => `${todo.current.title}, ${other.current.title}`
    })
    await settle()
    expect(screen()).toBe('Todo 5, Todo 6')
    const before = server.requests.length
    server.hold(route)
    server.hold('GET /todo/6')
    controller.resetAll()
    await settle()
    clock.advance(1)
    await settle()
    expect(screen()).toBe('…')
    server.release()
    await settle()
    server.release()
    await settle()
    expect(screen()).toBe('Todo 5, Todo 6')
    expect(server.requests.slice(before)).toEqual([route, 'GET /todo/6'])
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
    // That boundary takes the error back (B5).
    server.route(route, { id: 5, title: 'Found' })
    document.querySelector('button')?.click()
    await settle()
    expect(screen()).toBe('Found')
    expect(server.requests).toEqual([route, route])
  })

  test.each(['a text', null, undefined, { code: 7 }])(
    'gives %j, which is no Error, as the cause of one (B6)',
    async (thrown) => {
      const { mount, screen, settle } = createStage()
      const errors: Error[] = []
      mount(
        () => () => {
          throw thrown
        },
        { onError: (error: Error) => errors.push(error) },
      )
      await settle()
      expect(errors).toEqual([expect.any(Error)])
      expect(errors[0]?.cause).toBe(thrown)
      expect(screen()).toBe(errors[0]?.message)
    },
  )

  test('gives an Error as it was thrown', async () => {
    const { mount, settle } = createStage()
    const error = new Error('broken')
    const errors: Error[] = []
    mount(
      () => () => {
        throw error
      },
      { onError: (shown: Error) => errors.push(shown) },
    )
    await settle()
    expect(errors).toEqual([error])
    expect(errors[0]).toBe(error)
  })

  test('heals where the handle was made around it', async () => {
    const { api, controller, mount, screen, server, settle } = createStage()
    server.route(route, reply.status(500))
    mount(
      () => {
        const todo = useSuspense(api.todo.get, { id: 5 })
        return () => todo.current.title
      },
      { boundary: 'around' },
    )
    await settle()
    expect(screen()).toContain('500')
    server.route(route, { id: 5, title: 'Found' })
    await controller.fetch(api.todo.get, { id: 5 })
    await settle()
    expect(screen()).toBe('Found')
    expect(server.requests).toEqual([route, route])
  })

  test('lets a handle that was made around it take its error with it', async () => {
    const { api, mount, screen, server, settle } = createStage()
    let id = $state(5)
    server.route(route, reply.status(404))
    mount(
      () => {
        const todo = useSuspense(api.todo.get, () => ({ id }))
        return () => todo.current.title
      },
      { boundary: 'around' },
    )
    await settle()
    expect(screen()).toContain('404')
    id = 6
    await settle()
    expect(screen()).toBe('Todo 6')
    expect(server.requests).toEqual([route, 'GET /todo/6'])
  })

  test('tries its content again when one of resetKeys changes, and asks for what that names', async () => {
    const { api, clock, mount, screen, server, settle } = createStage()
    let id = 5
    let key = $state(1)
    server.route(route, reply.status(404))
    mount(
      () => {
        const todo = useSuspense(api.todo.get, { id })
        return () => todo.current.title
      },
      { resetKeys: () => [key] },
    )
    await settle()
    clock.advance(20 * 60_000)
    key = 2
    await settle()
    expect(screen()).toContain('404')
    expect(server.requests).toEqual([route])
    id = 6
    key = 3
    await settle()
    expect(screen()).toBe('Todo 6')
    expect(server.requests).toEqual([route, 'GET /todo/6'])
  })

  test('asks in a reset for what the content names by then, and not for what failed', async () => {
    const { api, mount, screen, server, settle } = createStage()
    let id = 5
    server.route(route, reply.status(404))
    mount(() => {
      const todo = useSuspense(api.todo.get, { id })
      return () => todo.current.title
    })
    await settle()
    id = 6
    document.querySelector('button')?.click()
    await settle()
    expect(screen()).toBe('Todo 6')
    expect(server.requests).toEqual([route, 'GET /todo/6'])
  })

  test('destroys content that fails, and a reset mounts it from the beginning', async () => {
    const { api, controller, mount, screen, server, settle } = createStage()
    await controller.fetch(api.todo.get, { id: 5 })
    mount(() => {
      const todo = useSuspense(api.todo.get, { id: 5 })
      return () => todo.current.title
    })
    await settle()
    const input = document.querySelector('input')
    expect(input).not.toBeNull()
    server.route(route, reply.status(410))
    await controller.fetch(api.todo.get, { id: 5 }).catch(() => {})
    await settle()
    expect(screen()).toContain('410')
    expect(document.querySelector('input')).toBeNull()
    server.route(route, { id: 5, title: 'Back' })
    document.querySelector('button')?.click()
    await settle()
    expect(screen()).toBe('Back')
    expect(document.querySelector('input')).not.toBe(input)
  })

  test('keeps an error that is none of its readers’ until it is reset', async () => {
    const { api, controller, mount, screen, server, settle } = createStage()
    let isBroken = true
    mount(() => {
      const todo = useSuspense(api.todo.get, { id: 5 })
      return () => {
        if (isBroken) throw new Error('broken')
        return todo.current.title
      }
    })
    await settle()
    isBroken = false
    await controller.fetch(api.todo.get, { id: 5 })
    await settle()
    expect(screen()).toBe('broken')
    document.querySelector('button')?.click()
    await settle()
    expect(screen()).toBe('Todo 5')
    expect(server.requests).toEqual([route, route])
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
    'useSuspense(Todo.get) was read before its data arrived.\n' +
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
