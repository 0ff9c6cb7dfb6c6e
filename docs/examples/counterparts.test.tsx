import { Controller } from '@selfsame/core'
import { TestClock } from '@selfsame/core/testing'
import { AsyncBoundary, DataProvider } from '@selfsame/react'
import { dataPlugin } from '@selfsame/vue'
import { render as renderSvelte } from '@testing-library/svelte'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createApp, h } from 'vue'
import { Todo } from './api.js'
import AvatarOfSvelte from './counterparts/AvatarUpload.svelte'
import AvatarOfVue from './counterparts/AvatarUpload.vue'
import ChosenOfSvelte from './counterparts/Chosen.svelte'
import ChosenOfVue from './counterparts/Chosen.vue'
import LiveOfSvelte from './counterparts/LivePrice.svelte'
import { LivePrice } from './counterparts/LivePrice.js'
import LiveOfVue from './counterparts/LivePrice.vue'
import OpenBadgeOfSvelte from './counterparts/OpenBadge.svelte'
import { OpenBadge } from './counterparts/OpenBadge.js'
import OpenBadgeOfVue from './counterparts/OpenBadge.vue'
import PhotoOfSvelte from './counterparts/Photo.svelte'
import PhotoOfVue from './counterparts/Photo.vue'
import PolledOfSvelte from './counterparts/PolledPrice.svelte'
import { PolledPrice } from './counterparts/PolledPrice.js'
import PolledOfVue from './counterparts/PolledPrice.vue'
import GuideStage from './guides/GuideStage.svelte'
import { serve } from './testing-network.js'
import VueStage from './VueStage.vue'

// Samples of docs/media.md, docs/reading.md and docs/live.md in Vue and Svelte.
// Those in React are beside the others of their page.

const ends: (() => unknown)[] = []
beforeEach(() => {
  document.body.innerHTML = '<div id="app"></div>'
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  vi.unstubAllGlobals()
})

const stage = () => document.querySelector('#app') as HTMLElement

const shows: Record<
  string,
  (
    of: { vue: object; svelte: unknown },
    props?: object,
    controller?: Controller,
  ) => void
> = {
  Vue({ vue }, props = {}, controller = new Controller()) {
    const app = createApp(VueStage, {
      content: { render: () => h(vue, props) },
      id: 5,
    })
    app.use(dataPlugin, { controller }).mount(stage())
    ends.push(() => app.unmount())
  },
  Svelte({ svelte }, props = {}, controller = new Controller()) {
    const Content = svelte as (anchor: unknown, all: object) => unknown
    const content = (anchor: unknown) => Content(anchor, props)
    const { unmount } = renderSvelte(GuideStage, {
      props: { content: content as never, id: 5, controller },
    })
    ends.push(unmount)
  },
}

describe.each(Object.entries(shows))('in %s', (_, show) => {
  test('an image is shown when it is decoded', async () => {
    class DecodedImage {
      src = ''
      decode = () => Promise.resolve()
    }
    vi.stubGlobal('Image', DecodedImage)
    show({ vue: PhotoOfVue, svelte: PhotoOfSvelte }, { src: '/photo.jpg' })
    await vi.waitFor(() =>
      expect(document.querySelector('img')?.getAttribute('src')).toBe(
        '/photo.jpg',
      ),
    )
  })

  test('an upload shows how far it is', async () => {
    const uploads: EventTarget[] = []
    class Transport extends EventTarget {
      readonly upload = new EventTarget()
      open() {}
      setRequestHeader() {}
      send() {
        uploads.push(this.upload)
      }
      abort() {}
    }
    vi.stubGlobal('XMLHttpRequest', Transport)
    show({ vue: AvatarOfVue, svelte: AvatarOfSvelte }, { id: 5 })
    const input = await vi.waitUntil(() => document.querySelector('input'))
    Object.defineProperty(input, 'files', {
      value: [new File(['1234'], 'me.png')],
    })
    input.dispatchEvent(new Event('change', { bubbles: true }))
    await vi.waitFor(() => expect(uploads).toHaveLength(1))
    uploads[0]?.dispatchEvent(
      new ProgressEvent('progress', {
        lengthComputable: true,
        loaded: 1,
        total: 4,
      }),
    )
    await vi.waitFor(() =>
      expect(document.querySelector('progress')?.value).toBe(1),
    )
  })

  test('several calls are read by name, and in a loop', async () => {
    serve({
      'GET /todo/5': { id: 5, title: 'Write' },
      'GET /todo/6': { id: 6, title: 'Read' },
    })
    show({ vue: ChosenOfVue, svelte: ChosenOfSvelte }, { ids: [5, 6] })
    await vi.waitFor(() =>
      expect(document.querySelector('p')?.textContent).toBe(
        'Write, no list, 2',
      ),
    )
  })

  test('a price is kept fresh', async () => {
    serve({ 'GET /price/ABC': { symbol: 'ABC', amount: 12 } })
    show({ vue: LiveOfVue, svelte: LiveOfSvelte })
    await vi.waitFor(() =>
      expect(document.querySelector('p')?.textContent).toBe('12'),
    )
  })

  test('a price is polled without a boundary', async () => {
    const { clock, controller, requests } = servePrices()
    show({ vue: PolledOfVue, svelte: PolledOfSvelte }, {}, controller)
    await vi.waitFor(() =>
      expect(document.querySelector('p')?.textContent).toBe('1'),
    )
    clock.advance(10_000)
    await vi.waitFor(() =>
      expect(document.querySelector('p')?.textContent).toBe('2'),
    )
    expect(requests).toHaveLength(2)
  })
})

/** A price that is one higher in each response. */
function servePrices() {
  let amount = 0
  const requests = serve({
    'GET /price/ABC': () => ({ symbol: 'ABC', amount: ++amount }),
  })
  const clock = new TestClock()
  return { clock, controller: new Controller({ clock }), requests }
}

test('a price is polled without a boundary in React', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const { clock, controller, requests } = servePrices()
  const root = createRoot(stage())
  await act(async () =>
    root.render(
      <DataProvider controller={controller}>
        <PolledPrice />
      </DataProvider>,
    ),
  )
  await vi.waitFor(() =>
    expect(document.querySelector('p')?.textContent).toBe('1'),
  )
  await act(async () => clock.advance(10_000))
  await vi.waitFor(() =>
    expect(document.querySelector('p')?.textContent).toBe('2'),
  )
  expect(requests).toHaveLength(2)
  await act(async () => root.unmount())
})

function knowingTodos(): Controller {
  const controller = new Controller()
  controller.set(Todo, { id: 1 }, { title: 'Write', completed: false })
  controller.set(Todo, { id: 2 }, { title: 'Read', completed: true })
  return controller
}

test.each(Object.entries(shows))(
  'a computed value follows its records in %s',
  async (_, show) => {
    const controller = knowingTodos()
    show({ vue: OpenBadgeOfVue, svelte: OpenBadgeOfSvelte }, {}, controller)
    await vi.waitFor(() =>
      expect(document.querySelector('p')?.textContent).toBe('1 open'),
    )
    controller.set(Todo, { id: 2 }, { completed: false })
    await vi.waitFor(() =>
      expect(document.querySelector('p')?.textContent).toBe('2 open'),
    )
  },
)

test('a computed value follows its records in React', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const controller = knowingTodos()
  const root = createRoot(stage())
  await act(async () =>
    root.render(
      <DataProvider controller={controller}>
        <OpenBadge />
      </DataProvider>,
    ),
  )
  expect(document.querySelector('p')?.textContent).toBe('1 open')
  await act(async () => controller.set(Todo, { id: 2 }, { completed: false }))
  expect(document.querySelector('p')?.textContent).toBe('2 open')
  await act(async () => root.unmount())
})

test('a price is kept fresh in React', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  serve({ 'GET /price/ABC': { symbol: 'ABC', amount: 12 } })
  const root = createRoot(stage())
  await act(async () =>
    root.render(
      <DataProvider>
        <AsyncBoundary fallback="Loading…">
          <LivePrice />
        </AsyncBoundary>
      </DataProvider>,
    ),
  )
  await vi.waitFor(() =>
    expect(document.querySelector('p')?.textContent).toBe('12'),
  )
  await act(async () => root.unmount())
})
