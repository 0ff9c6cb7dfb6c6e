import { render as renderInPage } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import ArgumentForms from './ArgumentForms.svelte'
import SvelteStage from './SvelteStage.svelte'
import { serve } from './testing-network.js'

// The samples of the Svelte binding's README that are no components.

afterEach(() => vi.unstubAllGlobals())

test('arguments are values, getters or stores', async () => {
  const requests = serve({ 'GET /todo/5': { id: 5, title: 'Write' } })
  const props = { content: ArgumentForms as never, id: 5 }
  const { container, unmount } = renderInPage(SvelteStage, { props })
  await vi.waitFor(() =>
    expect(container.querySelectorAll('p')).toHaveLength(4),
  )
  expect(container.textContent).toContain('a 2')
  expect(requests).toHaveLength(1)
  unmount()
})

test('a module holds a call of its own', async () => {
  const requests = serve({ 'GET /todo/5': { id: 5, title: 'Write' } })
  const { controller, todo } = await import('./shared-todo.svelte.js')
  const told: unknown[] = []
  const end = todo.subscribe((data) => told.push(data?.title))
  await vi.waitFor(() => expect(told).toEqual([undefined, 'Write']))
  end()
  expect(requests).toHaveLength(1)
  controller.dispose()
})
