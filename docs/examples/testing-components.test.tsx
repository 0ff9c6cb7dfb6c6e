import { createMockController } from '@selfsame/core/testing'
import { dataPlugin } from '@selfsame/vue'
import { render, screen } from '@testing-library/svelte'
import { mount } from '@vue/test-utils'
import { expect, test, vi } from 'vitest'
import { cleanup, render as renderPage } from '@selfsame/svelte/testing'
import TodoAppOfSvelte from './testing/TodoApp.svelte'
import TodoAppOfVue from './testing/TodoApp.vue'
import TodoListOfSvelte from './testing/TodoList.svelte'
import { todoResource, todoServer } from './todo-mocks.js'

// The samples of docs/testing.md that mount components of Vue and of Svelte.

test('a component of Vue', async () => {
  const TodoApp = TodoAppOfVue
  const controller = createMockController(todoServer)
  const page = mount(TodoApp, {
    global: { plugins: [[dataPlugin, { controller }]] },
  })
  await vi.waitFor(() => expect(page.text()).toBe('Write tests'))
  await controller.fetch(todoResource.create, { title: 'Run them' })
  expect(page.findAll('li')).toHaveLength(2)
  page.unmount()
  controller.dispose()
})

test('a component of Svelte', async () => {
  const TodoApp = TodoAppOfSvelte
  const controller = createMockController(todoServer)
  const { unmount } = render(TodoApp, { props: { controller } })
  await screen.findByText('Write tests')
  await controller.fetch(todoResource.create, { title: 'Run them' })
  await screen.findByText('Run them')
  unmount()
  controller.dispose()
})

test('a component of Svelte, with a mock Controller of its own', async () => {
  const render = renderPage
  const TodoList = TodoListOfSvelte
  const { container, controller, settle } = await render(TodoList, todoServer)
  await controller.fetch(todoResource.create, { title: 'Run them' })
  await settle()
  expect(container.querySelectorAll('li')).toHaveLength(2)
  await cleanup()
})

test('a page without a framework', async () => {
  const controller = createMockController(todoServer)
  const shown = vi.fn()
  const end = controller.subscribe(todoResource.getList, ({ data }) =>
    shown(data?.length),
  )
  await controller.fetch(todoResource.getList)
  await controller.fetch(todoResource.create, { title: 'Run them' })
  expect(shown).toHaveBeenLastCalledWith(2)
  end()
  controller.dispose()
})
