import { Controller } from '@selfsame/core'
import { hookifyResource } from '@selfsame/core/rest'
import { render } from '@testing-library/svelte'
import { getContext } from 'svelte'
import { afterEach, expect, test, vi } from 'vitest'
import { createApp, h, inject, ref } from 'vue'
import type { InjectionKey, Ref } from 'vue'
import SvelteSetup from './SvelteSetup.svelte'
import { todoResource } from './api.js'
import { serve } from './testing-network.js'

// The samples of docs/rest.md, Authentication, for Vue and Svelte.

afterEach(() => vi.unstubAllGlobals())

interface Session {
  token: string
}

test('Vue: a getter is called in setup, and read when a request is made', async () => {
  const requests = serve({ 'GET /todo/5': { id: 5 } })
  const tokenKey: InjectionKey<Ref<string>> = Symbol('token')
  const todoHooks = hookifyResource(todoResource, () => {
    const token = inject(tokenKey, ref(''))
    return () => ({ headers: { 'Access-Token': token.value } })
  })
  const token = ref('old')
  let get: ReturnType<typeof todoHooks.useGet> | undefined
  const Component = {
    setup() {
      get = todoHooks.useGet()
      return () => h('p')
    },
  }
  const app = createApp(Component)
  app.provide(tokenKey, token).mount(document.createElement('div'))
  token.value = 'new'
  if (get === undefined) throw new Error('setup() did not run.')
  await new Controller().fetch(get, { id: 5 })
  expect(requests[0]?.headers.get('Access-Token')).toBe('new')
  app.unmount()
})

test('Svelte: a getter is called while a component is set up, and read when a request is made', async () => {
  const requests = serve({ 'GET /todo/5': { id: 5 } })
  const todoHooks = hookifyResource(todoResource, () => {
    const session = getContext<Session>('session')
    return () => ({ headers: { 'Access-Token': session.token } })
  })
  const session = { token: 'old' }
  let get: ReturnType<typeof todoHooks.useGet> | undefined
  const { unmount } = render(SvelteSetup, {
    props: { setup: () => (get = todoHooks.useGet()) },
    context: new Map([['session', session]]),
  })
  session.token = 'new'
  if (get === undefined) throw new Error('The component was not set up.')
  await new Controller().fetch(get, { id: 5 })
  expect(requests[0]?.headers.get('Access-Token')).toBe('new')
  unmount()
})
