// main.ts
import { Controller } from '@selfsame/core'
import { todoResource } from './api.js'

export const controller = new Controller()

function draw() {
  const { data, error } = controller.read(todoResource.getList, { userId: 1 })
  if (data === undefined) {
    document.body.textContent = error?.message ?? 'Loading…'
    return
  }
  const heading = document.createElement('h1')
  const open = data.filter(({ completed }) => !completed)
  heading.textContent = `${open.length} open`
  const items = data.map(({ id, title, completed }) => {
    const box = document.createElement('input')
    box.type = 'checkbox'
    box.checked = completed
    const toggle = () =>
      controller.fetch(
        todoResource.partialUpdate,
        { id },
        { completed: !completed },
      )
    // Mutation errors are not stored: handle the promise.
    box.addEventListener('change', () =>
      toggle().catch((error: Error) => alert(error.message)),
    )
    const item = document.createElement('p')
    item.append(box, ` ${title}`)
    return item
  })
  document.body.replaceChildren(heading, ...items)
}

controller.subscribe(todoResource.getList, { userId: 1 }, draw)
draw()
// The error is stored with the call, so that `draw` shows it.
controller.fetch(todoResource.getList, { userId: 1 }).catch(() => {})
