import { Controller } from '@selfsame/core'
import { dataPlugin } from '@selfsame/vue'
import type { ComponentType } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createApp, h } from 'vue'
import { App as After45 } from './4.5-after.js'
import { App as Before45 } from './4.5-before.js'
import { App as OneCall45 } from './4.5-one-call.js'
import { App as After51 } from './5.1-after.js'
import { App as Before51 } from './5.1-before.js'
import { App as OneCall51 } from './5.1-one-call.js'
import { App as AfterDataClient } from './data-client-after.js'
import DataClientScreen from './DataClientScreen.vue'
import { add, click, rows, textsOf } from './page.js'
import { startServer } from './server.js'
import VueStage from '../VueStage.vue'

// The screens of docs/migrating/from-4.5.md, from-5.1.md and from-data-
// client.md.

beforeEach(() => {
  document.body.innerHTML = '<div id="app"></div>'
  // React runs by itself, as in a page.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
})
afterEach(() => vi.unstubAllGlobals())

const screens: readonly [string, ComponentType][] = [
  ['4.5, before, on the legacy entries', Before45],
  ['4.5, with one call moved', OneCall45],
  ['4.5, after', After45],
  ['5.1, before, on the legacy entry', Before51],
  ['5.1, with one call moved', OneCall51],
  ['5.1, after', After51],
  ['Reactive Data Client, after', AfterDataClient],
]

test.each(screens)(
  '%s: shows todos, and what is changed and added',
  async (_, App) => {
    const root = createRoot(document.querySelector('#app') as Element)
    await tryOut(() => root.render(<App />))
    root.unmount()
  },
)

test('Reactive Data Client, after, in Vue: shows todos, and what is changed and added', async () => {
  const app = createApp(VueStage, {
    content: { inheritAttrs: false, render: () => h(DataClientScreen) },
    id: 0,
  })
  app.use(dataPlugin, { controller: new Controller() })
  await tryOut(() => app.mount('#app'))
  app.unmount()
})

async function tryOut(show: () => void) {
  const { requests } = startServer({ isFull: true })
  show()
  await vi.waitFor(() => expect(rows()).toEqual(['Three', 'Two', 'One']))

  click('Two')
  await vi.waitFor(() => expect(textsOf('article p')).toEqual(['Notes of Two']))
  click('Done')
  await vi.waitFor(() => expect(rows()).toEqual(['Three', 'Two ✓', 'One']))
  expect(textsOf('h2')).toEqual(['Two ✓'])

  add('Four')
  await vi.waitFor(() =>
    expect(rows()).toEqual(['Three', 'Two ✓', 'One', 'Four']),
  )
  expect(requests).toEqual(['GET /todo', 'PATCH /todo/2', 'POST /todo'])
}
