import { Controller } from '@selfsame/core'
import { ManualClock, Server, createApi, routeSamples } from '@selfsame/conformance'
import { expect, onTestFinished, test } from 'vitest'
import { createApp, defineComponent, h, shallowRef } from 'vue'
import { AsyncBoundary, DataProvider, useSuspense } from './index.js'

async function frame(): Promise<void> {
  for (let count = 0; count < 2; count++) {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  }
}

test('a page that was hidden has its focus, selection, text and scroll positions again', async () => {
  const clock = new ManualClock()
  const server = new Server(clock)
  routeSamples(server)
  const api = createApi(server)
  const controller = new Controller({ clock })
  const Detail = defineComponent({
    async setup() {
      const todo = await useSuspense(api.todo.get, { id: 5 })
      return () => h('output', todo.value.title)
    },
  })
  const Page = defineComponent({
    setup() {
      const isOpen = shallowRef(false)
      return () => [
        h('input'),
        h('button', { onClick: () => (isOpen.value = true) }),
        h('div', { id: 'inner', style: { height: '50px', overflow: 'auto' } }, [
          h('p', { style: { height: '500px' } }),
        ]),
        h('div', { style: { height: '2000px' } }),
        isOpen.value ? h(Detail) : undefined,
      ]
    },
  })
  const boundary = () => h(AsyncBoundary, null, { default: () => h(Page), fallback: () => h('progress') })
  const scroller = document.body.appendChild(document.createElement('main'))
  Object.assign(scroller.style, { display: 'block', height: '200px', overflow: 'auto' })
  const app = createApp({ render: () => h(DataProvider, { controller }, boundary) })
  app.mount(scroller)
  onTestFinished(() => {
    app.unmount()
    scroller.remove()
  })
  await frame()
  const field = scroller.querySelector('input') as HTMLInputElement
  const inner = scroller.querySelector('#inner') as HTMLElement
  field.focus()
  field.value = 'typed'
  field.setSelectionRange(1, 3)
  scroller.scrollTop = 333
  inner.scrollTop = 77
  await frame()
  server.hold('GET /todo/5')
  scroller.querySelector('button')?.click()
  await frame()
  expect(scroller.querySelector('progress')).not.toBeNull()
  expect(field.checkVisibility()).toBe(false)
  expect(document.activeElement).toBe(document.body)
  server.release()
  await frame()
  expect(scroller.querySelector('output')?.textContent).toBe('Todo 5')
  expect(document.activeElement).toBe(field)
  expect([field.value, field.selectionStart, field.selectionEnd]).toEqual(['typed', 1, 3])
  expect(scroller.scrollTop).toBe(333)
  expect(inner.scrollTop).toBe(77)
})
