import { expect, test } from 'vitest'
import { componentName } from './component-name.js'

test.each([
  [
    'a function of React',
    `Error
    at componentName (http://x/core.js:1:1)
    at new Observer (http://x/core.js:1:1)
    at Object.useMemo (http://x/react-dom.js:1:1)
    at useSuspense (http://x/react.js:1:1)
    at TodoItem (http://x/app.js:1:1)
    at App (http://x/app.js:1:1)`,
    'TodoItem',
  ],
  [
    'a file of Vue',
    `Error
    at new Observer (http://x/core.js:1:1)
    at useSuspense (http://x/vue.js:1:1)
    at setup (http://x/src/TodoItem.vue?t=1:12:3)
    at callWithErrorHandling (http://x/vue.js:1:1)`,
    'TodoItem',
  ],
  [
    'a file of Svelte, and none of our own',
    `Error
    at Boundary (http://x/node_modules/@selfsame/svelte/AsyncBoundary.svelte:1:1)
    at Todo_list (http://x/src/todo-list.svelte:12:3)`,
    'todo-list',
  ],
  [
    'a file of Svelte behind a module with runes',
    `Error
    at useObserver (http://x/src/use-observer.svelte.ts?v=1:1:1)
    at useTodos (http://x/src/todos.svelte.js:1:1)
    at Todo_list (http://x/src/TodoList.svelte:12:3)`,
    'TodoList',
  ],
  ['Firefox', `Error\nuseSuspense@http://x/react.js:1:1\nTodoItem@http://x/app.js:1:1`, 'TodoItem'],
  ['no stack', '', undefined],
])('%s', (_, stack, name) => {
  expect(componentName(stack)).toBe(name)
})

test('the function that is called now has a name', () => {
  const limit = Error.stackTraceLimit
  function TodoList() {
    return componentName()
  }
  expect(TodoList()).toBe('TodoList')
  expect(Error.stackTraceLimit).toBe(limit)
})
