import { expect, test } from 'vitest'
import { Entity } from '../schema/entity.js'
import { hookifyResource } from './hookify-resource.js'
import { createResource } from './resource.js'

class Todo extends Entity {
  id = 0
}
const todo = createResource({ path: '/todo/:id', schema: Todo })

/** Runs the garbage collector several times, in separate tasks, because a WeakRef keeps its target until the end of a task. */
async function collect(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 0))
    globalThis.gc?.()
  }
}

test('keeps neither an endpoint nor its init once nobody holds it, and both as long as somebody does', async () => {
  const inits: WeakRef<object>[] = []
  const { useGet } = hookifyResource(todo, () => {
    const init = { headers: { 'Access-Token': String(inits.length) } }
    inits.push(new WeakRef(init))
    return init
  })
  const kept = useGet()
  ;(() => {
    for (let user = 0; user < 100; user++) useGet()
  })()
  await collect()
  expect(inits.filter((reference) => reference.deref() !== undefined)).toHaveLength(1)
  expect(inits[0]?.deref()).toBeDefined()
  expect(kept.name).toBe('Todo.get')
})
