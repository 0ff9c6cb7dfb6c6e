import { ManualClock } from '@selfsame/conformance'
import type * as core from '@selfsame/core'
import type * as early from '@selfsame/core/optimistic'
import type * as rest from '@selfsame/core/rest'
import { Suspense, act, createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import { buildTraced, trace } from '../trace-build.js'
import type { Trace } from '../trace-build.js'
import type * as react from './index.js'

// How far data goes from a request to the screen: the code that a stranger has to know. Ceilings, which should come down: the goal for
// a response is 25 files and 20 functions on the stack.

type Build = typeof core & typeof rest & typeof early & typeof react

const code = `
  export * from '@selfsame/core'
  export * from '@selfsame/core/rest'
  export * from '@selfsame/core/optimistic'
  export * from './src/index.ts'
`

/** An application in the page, whose requests the test answers. */
async function setUp() {
  const { Controller, Entity, createResource, optimistic, DataProvider, useSuspense } = (await buildTraced(
    code,
  )) as unknown as Build
  class User extends Entity {
    id = 0
    name = ''
    static override key = 'User'
  }
  class Todo extends Entity {
    id: number | string = 0
    title = ''
    author: User | undefined
    static override key = 'Todo'
    static override schema = { author: User }
  }
  const answers: ((response: Response) => void)[] = []
  const fetchResponse = () => new Promise<Response>((resolve) => answers.push(resolve))
  const options = { path: '/todo/:id', schema: Todo, fetchResponse } as const
  const plain = createResource(options)
  const expected = createResource({ ...options, optimistic })
  const controller = new Controller({ clock: new ManualClock() })
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  const page = document.createElement('div')
  const root = createRoot(page)
  const show = (content: () => string) =>
    act(async () =>
      root.render(
        createElement(DataProvider, { controller }, createElement(Suspense, null, createElement(content))),
      ),
    )
  const answer = (payload: unknown) => act(async () => answers.shift()?.(Response.json(payload)))
  return { Todo, plain, expected, controller, page, show, answer, useSuspense }
}

/** By way of the data: files, different functions, and functions on the stack at once. */
const ceilings = {
  mount: [36, 179, 25],
  response: [32, 205, 21],
  set: [31, 158, 23],
  create: [58, 347, 32],
  created: [48, 323, 27],
  delete: [52, 251, 29],
  deleted: [33, 143, 23],
} as const satisfies Record<string, readonly number[]>

test('data goes through no more files and functions than before, and no deeper', async () => {
  const { Todo, plain, expected, controller, page, show, answer, useSuspense } = await setUp()
  const Detail = () => useSuspense(plain.get, { id: 1 })?.title ?? ''
  const List = () =>
    useSuspense(plain.getList)
      ?.map(({ title }) => title)
      .join() ?? ''
  const traces: Record<string, Trace> = {}
  traces['mount'] = await trace(() => show(Detail))
  traces['response'] = await trace(() => answer({ id: 1, title: 'a', author: { id: 1, name: 'x' } }))
  expect(page.textContent).toBe('a')
  traces['set'] = await trace(() => act(async () => controller.set(Todo, { id: 1 }, { title: 'b' })))
  expect(page.textContent).toBe('b')
  await show(List)
  await answer([{ id: 1, title: 'b' }])
  const run = (call: () => Promise<unknown>) => trace(() => act(async () => void call()))
  traces['create'] = await run(() => controller.fetch(expected.getList.push, { title: 'c' } as never))
  expect(page.textContent).toBe('b,c')
  traces['created'] = await trace(() => answer({ id: 2, title: 'c' }))
  traces['delete'] = await run(() => controller.fetch(expected.delete, { id: 1 }))
  expect(page.textContent).toBe('c')
  traces['deleted'] = await trace(() => answer({ id: 1 }))
  // All at once, so that a failure shows every number.
  const found = Object.entries(ceilings).map(([path, ceiling]) => {
    const { files, functions, deepest } = traces[path]!
    return [path, [files, functions, deepest].map((count, index) => Math.max(count, ceiling[index]!))]
  })
  expect(Object.fromEntries(found)).toEqual(ceilings)
})
