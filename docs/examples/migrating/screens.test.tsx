import { Controller } from '@selfsame/core'
import { dataPlugin } from '@selfsame/vue'
import { render as renderSvelte } from '@testing-library/svelte'
import type { ComponentType } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createApp } from 'vue'
import SvelteStage from '../SvelteStage.svelte'
import { add, click, rows, textsOf } from './page.js'
import { startServer } from './server.js'
import { App as ApolloAfter } from './apollo-after.js'
import { App as ApolloBefore } from './apollo-before.js'
import { App as SwrAfter } from './swr-after.js'
import { App as SwrBefore } from './swr-before.js'
import { App as TanstackQueryAfter } from './tanstack-query-after.js'
import { App as TanstackQueryBefore } from './tanstack-query-before.js'
import ScreenOfSvelte from './TodoScreen.svelte'
import ScreenOfVue from './TodoScreen.vue'

// The screens of docs/migrating: each shows the same before and after, at every
// step. How many requests a step takes is told.

beforeEach(() => {
  document.body.innerHTML = '<div id="app"></div>'
  // React runs by itself, as in a page.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  vi.useFakeTimers({
    toFake: [
      'setTimeout',
      'clearTimeout',
      'setInterval',
      'clearInterval',
      'Date',
    ],
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

type Requests = Readonly<Record<string, readonly string[]>>

/** Shows a screen. @returns a function that ends it */
type Show = (element: Element) => () => void

function inReact(App: ComponentType): Show {
  return (element) => {
    const root = createRoot(element)
    root.render(<App />)
    return () => root.unmount()
  }
}
const inVue: Show = (element) => {
  const app = createApp(ScreenOfVue).use(dataPlugin, {
    controller: new Controller(),
  })
  app.mount(element)
  return () => app.unmount()
}
const inSvelte: Show = (element) => {
  const props = { content: ScreenOfSvelte as never, id: 0 }
  return renderSvelte(SvelteStage, { target: element as HTMLElement, props })
    .unmount
}

/** Goes through a screen as a user would. @returns the requests of each step */
async function tryOut(show: Show, { isPaged = false } = {}): Promise<Requests> {
  const server = startServer()
  const requests: Record<string, readonly string[]> = {}
  const step = async (name: string, act: () => void, look: () => void) => {
    const before = server.requests.length
    act()
    await vi.waitFor(look)
    // What follows a response belongs to the step, and does not change what is
    // shown.
    for (let turn = 0; turn < 5; turn++) await vi.advanceTimersByTimeAsync(10)
    look()
    requests[name] = server.requests.slice(before)
  }
  let end = () => {}

  await step(
    'open',
    () => (end = show(document.querySelector('#app') as Element)),
    () =>
      expect(rows()).toEqual(
        isPaged ? ['Three', 'Two'] : ['Three', 'Two', 'One'],
      ),
  )
  if (isPaged)
    await step(
      'more',
      () => click('More'),
      () => {
        expect(rows()).toEqual(['Three', 'Two', 'One'])
        expect(textsOf('button')).not.toContain('More')
      },
    )
  await step(
    'details',
    () => click('Two'),
    () => expect(textsOf('article p')).toEqual(['Notes of Two']),
  )
  await step(
    'done',
    () => click('Done'),
    () => {
      expect(rows()).toEqual(['Three', 'Two ✓', 'One'])
      expect(textsOf('h2')).toEqual(['Two ✓'])
    },
  )
  const answer = server.hold()
  await step(
    'create, without a response yet',
    () => add('Four'),
    () => expect(rows()).toEqual(['Four', 'Three', 'Two ✓', 'One']),
  )
  await step('create', answer, () =>
    expect(rows()).toEqual(['Four', 'Three', 'Two ✓', 'One']),
  )
  await step(
    'details of the created one',
    () => click('Four'),
    () => expect(textsOf('article p')).toEqual(['Notes of Four']),
  )
  const refuse = server.hold()
  await step(
    'refused, without a response yet',
    () => add(''),
    () => expect(rows()).toEqual(['', 'Four', 'Three', 'Two ✓', 'One']),
  )
  await step('refused', refuse, () => {
    expect(rows()).toEqual(['Four', 'Three', 'Two ✓', 'One'])
    expect(textsOf('form [role=alert]').join('')).toContain('Not saved.')
  })
  if (!isPaged)
    await step(
      'poll',
      () => {
        server.add('Five')
        vi.advanceTimersByTime(10_000)
      },
      () => expect(rows()).toEqual(['Five', 'Four', 'Three', 'Two ✓', 'One']),
    )
  end()
  return requests
}

/** What a screen asks for whichever library it is written with. */
const restSteps = {
  details: ['GET /todo/2'],
  done: ['PATCH /todo/2'],
  'create, without a response yet': ['POST /todo'],
  create: [],
  'details of the created one': [],
  'refused, without a response yet': ['POST /todo'],
  refused: [],
}

describe('from TanStack Query', () => {
  const open = { open: ['GET /todo?limit=2'] }

  test('before: mutations fetch each loaded page anew', async () => {
    const pages = (last: number) => [
      'GET /todo?limit=2',
      `GET /todo?limit=2&cursor=${last}`,
    ]
    expect(
      await tryOut(inReact(TanstackQueryBefore), { isPaged: true }),
    ).toEqual({
      ...restSteps,
      ...open,
      more: ['GET /todo?limit=2&cursor=2'],
      done: ['PATCH /todo/2', ...pages(2)],
      create: pages(3),
      'details of the created one': ['GET /todo/4'],
      refused: pages(3),
    })
  })

  test.each([
    ['React', inReact(TanstackQueryAfter)],
    ['Vue', inVue],
    ['Svelte', inSvelte],
  ])(
    'after, in %s: shows the same, and mutations fetch nothing more',
    async (_, show) => {
      expect(await tryOut(show, { isPaged: true })).toEqual({
        ...restSteps,
        ...open,
        more: ['GET /todo?cursor=2&limit=2'],
      })
    },
  )
})

describe('from SWR', () => {
  const list = { open: ['GET /todo'], poll: ['GET /todo'] }

  test('before: a change of details fetches the list anew', async () => {
    expect(await tryOut(inReact(SwrBefore))).toEqual({
      ...restSteps,
      ...list,
      done: ['PATCH /todo/2', 'GET /todo'],
      'details of the created one': ['GET /todo/4'],
    })
  })

  test('after: shows the same, and mutations fetch nothing more', async () => {
    expect(await tryOut(inReact(SwrAfter))).toEqual({ ...restSteps, ...list })
  })
})

describe('from Apollo Client', () => {
  const steps = {
    open: ['query Todos'],
    details: ['query Todo'],
    done: ['mutation SetDone'],
    'create, without a response yet': ['mutation CreateTodo'],
    create: [],
    'details of the created one': ['query Todo'],
    'refused, without a response yet': ['mutation CreateTodo'],
    refused: [],
    poll: ['query Todos'],
  }

  test('before: its cache knows records as well', async () => {
    expect(await tryOut(inReact(ApolloBefore))).toEqual(steps)
  })

  test('after: shows the same, with the same requests', async () => {
    expect(await tryOut(inReact(ApolloAfter))).toEqual(steps)
  })
})
