import { Controller } from '@selfsame/core'
import { ManualClock, Server, createApi, routeSamples } from '@selfsame/conformance'
import { expect, onTestFinished, test } from 'vitest'
import { mountRoot, mountTable } from '../testing/page/pages.js'
import type { RootProps } from '../testing/page/props.js'

function open(mount: typeof mountRoot) {
  const clock = new ManualClock()
  const server = new Server(clock)
  routeSamples(server)
  const api = createApi(server)
  for (const id of [4, 5, 6]) server.route(`GET /todo/${id}`, { id, title: `Todo ${id}` })
  const controller = new Controller({ clock })
  const scroller = document.body.appendChild(document.createElement('main'))
  Object.assign(scroller.style, { display: 'block', height: '200px', overflow: 'auto' })
  const props: RootProps = { controller, endpoint: api.todo.get, way: 'if', onTick: () => {} }
  const end = mount(props, scroller)
  onTestFinished(async () => {
    await end()
    scroller.remove()
  })
  return { api, controller, scroller, server }
}

async function frame(): Promise<void> {
  for (let count = 0; count < 2; count++) {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  }
}

test('a page that was hidden has its focus, selection, text and scroll positions again', async () => {
  const { scroller, server } = open(mountRoot)
  await frame()
  const field = scroller.querySelector('input') as HTMLInputElement
  const inner = scroller.querySelector('#inner') as HTMLElement
  const tall = inner.parentElement?.appendChild(document.createElement('div'))
  if (tall) tall.style.height = '2000px'
  field.focus()
  field.value = 'typed'
  field.setSelectionRange(1, 3)
  scroller.scrollTop = 333
  inner.scrollTop = 77
  await frame()
  server.hold('GET /todo/4')
  scroller.querySelector('button')?.click()
  await frame()
  expect(scroller.querySelector('progress')).not.toBeNull()
  expect(field.checkVisibility()).toBe(false)
  field.focus()
  expect(document.activeElement).toBe(document.body)
  expect(scroller.scrollTop).toBe(0)
  server.release()
  await frame()
  expect(scroller.querySelector('output')?.textContent).toBe('Todo 4')
  expect(document.activeElement).toBe(field)
  expect([field.value, field.selectionStart, field.selectionEnd]).toEqual(['typed', 1, 3])
  expect(scroller.scrollTop).toBe(333)
  expect(inner.scrollTop).toBe(77)
})

test('the user keeps a focus that was moved while the page was hidden', async () => {
  const { scroller, server } = open(mountRoot)
  const other = scroller.appendChild(document.createElement('button'))
  await frame()
  scroller.querySelector('input')?.focus()
  server.hold('GET /todo/4')
  scroller.querySelector('button')?.click()
  await frame()
  other.focus()
  server.release()
  await frame()
  expect(scroller.querySelector('output')?.textContent).toBe('Todo 4')
  expect(document.activeElement).toBe(other)
})

test('data that arrives at once hides nothing, not for one frame', async () => {
  const { api, controller, scroller } = open(mountRoot)
  await controller.fetch(api.todo.get, { id: 4 })
  await frame()
  const seen = new Set<boolean | undefined>()
  const look = () => {
    seen.add(scroller.querySelector('input')?.checkVisibility())
    requestAnimationFrame(look)
  }
  look()
  scroller.querySelector('button')?.click()
  await frame()
  expect(scroller.querySelector('output')?.textContent).toBe('Todo 4')
  expect([...seen]).toEqual([true])
})

test('rows of a table and members of a list keep their places in the layout', async () => {
  const { scroller, server } = open(mountTable)
  await frame()
  scroller.querySelector('button')?.click()
  await frame()
  await frame()
  expect([...scroller.querySelectorAll('output')].map(({ textContent }) => textContent)).toEqual([
    'Todo 4',
    'Todo 5',
    'Todo 4',
    'Todo 5',
  ])
  const [head, ...rows] = [...scroller.querySelectorAll('tr')].map((row) =>
    [...row.children].map((cell) => cell.getBoundingClientRect().left),
  )
  expect(rows).toEqual([head, head])
  expect([...scroller.querySelectorAll('li')].map((each) => getComputedStyle(each).display)).toEqual([
    'list-item',
    'list-item',
  ])
  expect(server.requests).toEqual(['GET /todo/4', 'GET /todo/5'])
})
