import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { tryOut } from '../screens'
import { serveTodos } from '../server'
import { App } from './App'
import { Todo } from './api'

afterEach(() => vi.unstubAllGlobals())

test('shows todos, adds one and finishes one', async () => {
  const requests = serveTodos((id) => ({ id, name: 'Ann' }))
  document.body.innerHTML = '<div id="app"></div>'
  const root = createRoot(document.querySelector('#app') as Element)
  root.render(<App />)
  await tryOut(requests)
  root.unmount()
})

test('a todo says that it is done', () => {
  expect(Todo.fromJS({ id: 1, title: 'Write', done: true }).label).toBe('Write ✓')
})
