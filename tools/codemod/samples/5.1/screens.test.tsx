import { Controller } from '@selfsame/core'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { tryOut } from '../screens'
import { serveTodos } from '../server'
import { App } from './App'
import { Todo, User } from './api'

afterEach(() => vi.unstubAllGlobals())

test('shows todos, adds one and finishes one', async () => {
  const requests = serveTodos((id) => ({ id, name: 'Ann' }))
  document.body.innerHTML = '<div id="app"></div>'
  const root = createRoot(document.querySelector('#app') as Element)
  root.render(<App />)
  await tryOut(requests)
  root.unmount()
})

test('what a class did before and after a request is done', async () => {
  const sent: unknown[] = []
  const fetch = async (_: unknown, init?: RequestInit) => {
    sent.push(init?.headers)
    return Response.json({ user: { id: 5, name: 'Ann' } })
  }
  const user = await new Controller({ fetch }).fetch(User.detail(), { id: 5 })
  expect(user.name).toBe('Ann')
  expect(sent).toEqual([expect.objectContaining({ 'X-Client': 'web' })])
})

test('a todo says that it is done', () => {
  expect(Todo.fromJS({ id: 1, title: 'Write', done: true }).label).toBe('Write ✓')
})
