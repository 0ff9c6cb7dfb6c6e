import {
  Controller,
  Endpoint,
  Entity,
  SelfsameError,
  schema,
} from '@selfsame/core'
import type { ErrorCode, Schema } from '@selfsame/core'
import { connect, webSocket } from '@selfsame/core/live'
import { optimistic } from '@selfsame/core/optimistic'
import { outbox, outboxOf } from '@selfsame/core/outbox'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import { memoryStorage } from '@selfsame/core/storage'
import { createMockController } from '@selfsame/core/testing'
import { DataProvider, useController, useSuspense } from '@selfsame/react'
import { renderDataHook } from '@selfsame/react/testing'
import { dataPlugin, useCache } from '@selfsame/vue'
import {
  useSuspense as useSuspenseInSvelte,
  withOptions,
} from '@selfsame/svelte'
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createApp } from 'vue'
import * as allErrors from '../../core/src/errors.js'
import { serve } from './testing-network.js'

// The pages of docs/errors: each code is raised as its page says, with the
// message that the page shows. After a message was changed,
// `npx vitest run --project conformance docs/examples/errors.test.tsx -u`
// writes it into its page.

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  document.body.replaceChildren()
})

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

class Note extends Entity {
  id = 0
  static override key = 'Note'
}

const urlPrefix = 'https://api.example.com'
const todoResource = createResource({
  urlPrefix,
  path: '/todo/:id',
  schema: Todo,
})

/** A socket on which a server says what a test tells it. */
class Socket {
  static last: Socket
  readonly listeners = new Map<string, (event: object) => void>()
  constructor() {
    Socket.last = this
  }
  addEventListener(type: string, listener: (event: object) => void) {
    this.listeners.set(type, listener)
  }
  tell(type: string, event: object) {
    this.listeners.get(type)?.(event)
  }
  send() {}
  close() {}
}

const options = { WebSocket: Socket as never }

/** What is thrown, and the page of whose code shows how. */
const examples: Readonly<Record<ErrorCode, () => unknown>> = {
  'argument-invalid': () => {
    const { result } = renderDataHook(() =>
      // @ts-expect-error: the types refuse it
      useSuspense(todoResource.create, { title: 'Write' }),
    )
    throw result.error
  },

  'body-unexpected': () => {
    const page = '<!doctype html><title>Sign in</title>'
    serve({
      'GET /todo/5': new Response(page, {
        headers: { 'content-type': 'text/html' },
      }),
    })
    const controller = new Controller()
    return controller.fetch(todoResource.get, { id: 5 })
  },

  'connection-lost': () => {
    const controller = new Controller()
    const socket = webSocket('wss://example.com/live', {
      ...options,
      isFinal: ({ code }) => code === 4401,
    })
    const getTodo = todoResource.get.extend({
      stream: socket.stream({ schema: Todo }),
    })
    connect(controller, getTodo, { id: 5 })
    Socket.last.tell('open', {})
    Socket.last.tell('close', { code: 4401, reason: '' })
    const { error } = controller.read(getTodo, { id: 5 })
    throw error
  },

  'controller-disposed': () => {
    const controller = new Controller()
    controller.dispose()
    return controller.fetch(todoResource.get, { id: 5 })
  },

  'controller-remade': () => {
    serve({ 'GET /todo/5': () => ({ id: 5, title: 'Write' }) })
    function Title() {
      return useSuspense(todoResource.get, { id: 5 }).title
    }
    function App() {
      const [controller] = useState(() => new Controller())
      return (
        <DataProvider controller={controller}>
          <Title />
        </DataProvider>
      )
    }
    return new Promise((_, reject) => {
      createRoot(document.createElement('div'), {
        onUncaughtError: reject,
      }).render(<App />)
    })
  },

  'create-failed': async () => {
    // The random part of temporary ids.
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    serve({ 'POST /todo': Response.json({}, { status: 422 }) })
    const todoResource = createResource({
      urlPrefix,
      path: '/todo/:id',
      schema: Todo,
      optimistic,
    })
    const allTodos = new schema.All(Todo)
    const controller = new Controller()
    const creating = controller.fetch(todoResource.create, { title: 'New' })
    const [todo] = controller.get(allTodos) ?? []
    const deleting = controller.fetch(todoResource.delete, { id: todo!.id })
    await creating.catch(() => {})
    return deleting
  },

  'data-missing': () => {
    const controller = createMockController()
    const todo = useSuspenseInSvelte(
      withOptions(todoResource.get, { controller }),
      { id: 5 },
    )
    return todo.current.title
  },

  'definition-invalid': () => {
    const controller = new Controller({ dataExpiryLength: -1 })
    return controller
  },

  'fetch-failed': () => {
    const getTime = new Endpoint(
      () => Promise.reject('The clock has stopped'),
      { name: 'getTime' },
    )
    const controller = new Controller()
    return controller.fetch(getTime)
  },

  'hard-reset': () => {
    serve({ 'GET /todo/5': () => new Promise(() => {}) })
    const controller = new Controller()
    const fetched = controller.fetch(todoResource.get, { id: 5 })
    controller.resetAll()
    return fetched
  },

  'image-unusable': () => {
    // An image cannot fail in this emulation of a page: see
    // core/src/media/media.browser.test.ts.
    throw allErrors.imageUnusable(
      'getImage',
      '/photo.heic',
      new Error('The source image cannot be decoded.'),
    )
  },

  'message-unusable': async () => {
    const controller = new Controller()
    const told = vi.fn()
    const socket = webSocket('wss://example.com/live', {
      ...options,
      onError: told,
    })
    const getTodo = todoResource.get.extend({
      stream: socket.stream({ schema: Todo }),
    })
    connect(controller, getTodo, { id: 5 })
    Socket.last.tell('open', {})
    Socket.last.tell('message', { data: 'ping' })
    await vi.waitFor(() => expect(told).toHaveBeenCalled())
    throw told.mock.calls[0]?.[0]
  },

  'nesting-too-deep': async () => {
    const comment: Record<string, Schema> = {}
    comment['replies'] = [comment]
    const getComments = new RestEndpoint({
      urlPrefix,
      path: '/comment',
      schema: comment,
    })
    const looped = { replies: [] as object[] }
    looped.replies.push(looped)
    return new Controller().setResponse(getComments, looped as never)
  },

  'not-queryable': () => {
    const controller = new Controller()
    // @ts-expect-error: the types refuse it
    return controller.get([Todo], { userId: 1 })
  },

  'outbox-dropped': async () => {
    const network = { isOnline: () => false, subscribe: () => () => {} }
    const controller = new Controller({
      middleware: [
        outbox({
          endpoints: [todoResource],
          storage: memoryStorage(),
          network,
        }),
      ],
    })
    const saving = controller.fetch(
      todoResource.partialUpdate,
      { id: 5 },
      { title: 'x' },
    )
    await outboxOf(controller).drop()
    return saving
  },

  'outbox-unwritten': async () => {
    const full = {
      ...memoryStorage(),
      write: () => Promise.reject(new Error('The quota has been exceeded.')),
    }
    const network = { isOnline: () => false, subscribe: () => () => {} }
    const controller = new Controller({
      middleware: [
        outbox({ endpoints: [todoResource], storage: full, network }),
      ],
    })
    void controller.fetch(todoResource.partialUpdate, { id: 5 }, { title: 'x' })
    return outboxOf(controller).written()
  },

  'path-invalid': () =>
    new RestEndpoint({ urlPrefix, path: '/todo/:id/note/:id', schema: Note }),

  'path-param-missing': () => {
    const id = undefined as unknown as number
    return todoResource.get({ id })
  },

  'path-param-unusable': () => todoResource.get({ id: '..' }),

  'payload-unusable': () => {
    serve({ 'GET /todo': { items: [{ id: 5, title: 'Write' }] } })
    const controller = new Controller()
    return controller.fetch(todoResource.getList)
  },

  'pk-missing': () => {
    serve({ 'GET /todo/5': { todo_id: 5, title: 'Write' } })
    const controller = new Controller()
    return controller.fetch(todoResource.get, { id: 5 })
  },

  'provider-missing': () => {
    function Title() {
      return useController() && 'Write'
    }
    return new Promise((_, reject) => {
      createRoot(document.createElement('div'), {
        onUncaughtError: reject,
      }).render(<Title />)
    })
  },

  'read-once': () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const app = createApp({}).use(dataPlugin, { controller: new Controller() })
    app.runWithContext(() => useCache(todoResource.get, { id: 5 }))
    // It is a warning, not an error.
    throw new SelfsameError(
      'read-once',
      String(warned.mock.calls[0]?.[0]).replace('[selfsame] ', ''),
    )
  },

  'record-unusable': () => {
    class Invoice extends Entity {
      id = 0
      total = 0
      static override key = 'Invoice'
      static override validate(record: { total?: number }) {
        return record.total === undefined ? 'total is missing' : undefined
      }
    }
    const getInvoice = new RestEndpoint({
      urlPrefix,
      path: '/invoice/:id',
      schema: Invoice,
    })
    serve({ 'GET /invoice/5': { id: 5 } })
    const controller = new Controller()
    return controller.fetch(getInvoice, { id: 5 })
  },

  'request-unanswered': () => {
    const controller = createMockController({
      fixtures: [
        {
          endpoint: todoResource.get,
          args: [{ id: 5 }],
          response: { id: 5, title: 'Write' },
        },
      ],
    })
    return controller.fetch(todoResource.get, { id: 6 })
  },

  'search-param-unusable': () =>
    todoResource.getList({ since: new Date('yesterday') }),

  'transport-missing': () => {
    vi.stubGlobal('WebSocket', undefined)
    const socket = webSocket('wss://example.com/live')
    const getTodo = todoResource.get.extend({
      stream: socket.stream({ schema: Todo }),
    })
    return connect(new Controller(), getTodo, { id: 5 })
  },

  'value-unusable': () => {
    const controller = new Controller()
    const title = 'Write' as never
    controller.set(Todo, { id: 5 }, title)
  },

  'wait-timeout': async () => {
    const { result, waitFor } = renderDataHook(
      () => useSuspense(todoResource.get, { id: 5 }),
      {
        fixtures: [
          {
            endpoint: todoResource.get,
            args: [{ id: 5 }],
            response: { id: 5 },
            delayMs: 60_000,
          },
        ],
      },
    )
    await waitFor(() => !result.pending, { timeoutMs: 10 })
  },
}

async function errorOf(run: () => unknown): Promise<SelfsameError> {
  try {
    await run()
  } catch (error) {
    return error as SelfsameError
  }
  throw new Error('Nothing was thrown.')
}

test('a code is what code branches on', async () => {
  const isReset = (error: unknown) =>
    error instanceof SelfsameError && error.code === 'hard-reset'
  expect(isReset(await errorOf(examples['hard-reset']))).toBe(true)
  expect(isReset(await errorOf(examples['pk-missing']))).toBe(false)
})

test('a class names its own primary key', async () => {
  class KeyedTodo extends Entity {
    todo_id = 0
    title = ''
    static override key = 'KeyedTodo'
    override pk() {
      return String(this.todo_id)
    }
  }
  serve({ 'GET /todo/5': { todo_id: 5, title: 'Write' } })
  const getTodo = todoResource.get.extend({ schema: KeyedTodo })
  expect((await new Controller().fetch(getTodo, { id: 5 })).title).toBe('Write')
})

const folder = join(dirname(fileURLToPath(import.meta.url)), '../errors')
const codes = Object.keys(examples)

describe('the pages of errors', () => {
  test('are one for each code', () => {
    const pages = readdirSync(folder).filter((name) => name !== 'README.md')
    expect(pages.sort()).toEqual(codes.map((code) => `${code}.md`).sort())
    const list = readFileSync(join(folder, 'README.md'), 'utf8')
    expect(
      [...list.matchAll(/\]\(([\w-]+)\.md\)/g)].map(([, code]) => code).sort(),
    ).toEqual(codes.sort())
  })

  test.each(codes)('%s', async (code) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { message, ...error } = await errorOf(examples[code as ErrorCode])
    expect(error.code).toBe(code)
    const page = join(folder, `${code}.md`)
    const text = readFileSync(page, 'utf8')
    expect(text).toMatch(new RegExp(`^# \`${code}\`\\n`))
    // The page with the message of today.
    const shown = text.replace(
      /^```txt\n[\s\S]*?^```/m,
      () => `\`\`\`txt\n${message}\n\`\`\``,
    )
    expect(shown).toContain('```txt')
    await expect(shown).toMatchFileSnapshot(page)
  })
})
