import { Controller, Endpoint, Entity, EntityMixin, Query, schema } from '@selfsame/core'
import { from } from '@selfsame/core/maintained'
import { createPinia, defineStore, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { isReactive, reactive, ref, toRaw } from 'vue'
// The mark comes with the binding.
import './index.js'

// Production data is not frozen, by which Vue makes no proxy of it in development.
const flag = vi.hoisted(() => ({ development: false }))
vi.mock('../../../core/src/util/development.js', () => flag)

class Todo extends Entity {
  id = 0
  title = ''
  readonly #seal = 'sealed'
  static override key = 'Todo'
  seal() {
    return this.#seal
  }
}
class Person {
  id = 0
  name = ''
}
class PersonEntity extends EntityMixin(Person) {
  static override key = 'Person'
}

const todos = [
  { id: 1, title: 'One' },
  { id: 2, title: 'Two' },
]
const respond = <Shape>(name: string, of: Shape, response: unknown) =>
  new Endpoint(async () => response, { name, schema: of as never }) as Endpoint

/** What an application may keep in its state. */
const kept: Readonly<Record<string, (controller: Controller) => Promise<unknown>>> = {
  'a record': (controller) => controller.fetch(respond('todo', Todo, todos[0])),
  'a record of a class that was there': (controller) =>
    controller.fetch(respond('person', PersonEntity, { id: 1, name: 'Ada' })),
  'a list': (controller) => controller.fetch(respond('todos', [Todo], todos)),
  'a Collection': (controller) => controller.fetch(respond('all', new schema.Collection([Todo]), todos)),
  'a map': (controller) => controller.fetch(respond('map', new schema.Values(Todo), { a: todos[0] })),
  'an envelope': (controller) =>
    controller.fetch(respond('page', { items: [Todo], total: 0 }, { items: todos })),
  'a Query': async (controller) => {
    await controller.fetch(respond('todos', [Todo], todos))
    return controller.get(new Query(new schema.All(Todo), (all) => all.filter(({ id }) => id > 1)))
  },
  'data without a schema': (controller) =>
    controller.fetch(respond('raw', undefined, { city: 'Rome', tags: ['x'] })),
  'a plain object of a record': async (controller) => {
    const response = { ...todos[0], place: { street: { name: 'Main' } } }
    const todo = await controller.fetch(respond('placed', Todo, response))
    return (todo as { place: { street: object } }).place.street
  },
  'a plain object of a record in a list': async (controller) => {
    const list = await controller.fetch(respond('tagged', [Todo], [{ ...todos[0], tags: [{ name: 'x' }] }]))
    return (list as readonly { tags: readonly object[] }[])[0]!.tags[0]
  },
  'a part of data without a schema': async (controller) => {
    const data = await controller.fetch(respond('raw', undefined, { city: { name: 'Rome' } }))
    return (data as { city: object }).city
  },
  'an object in a list': async (controller) => {
    const list = await controller.fetch(respond('pairs', [{ todo: Todo }], [{ todo: todos[0], at: 'x' }]))
    return (list as readonly object[])[0]
  },
  'an object in a map': async (controller) => {
    const map = await controller.fetch(
      respond('pairs by', new schema.Values(new schema.Object({ todo: Todo })), { a: { todo: todos[0] } }),
    )
    return (map as { a: object }).a
  },
  'an object in an envelope': async (controller) => {
    const of = { items: [Todo], page: { of: '' } }
    const page = await controller.fetch(respond('paged', of, { items: todos, page: { of: { next: 2 } } }))
    return (page as { page: { of: object } }).page.of
  },
  'a maintained list': async (controller) => {
    await controller.fetch(respond('todos', [Todo], todos))
    return controller.get(from(Todo).orderBy('title'))
  },
}

describe.each(Object.keys(kept))('%s', (name) => {
  test('is itself in ref(), reactive() and Pinia', async () => {
    const data = (await kept[name]!(new Controller())) as object
    expect(data).toBeTypeOf('object')
    const chosen = ref<unknown>(data)
    expect(chosen.value).toBe(data)
    const state = reactive({ chosen: data, list: [data] })
    expect(state.chosen).toBe(data)
    expect(state.list[0]).toBe(data)
    expect(isReactive(state.chosen)).toBe(false)
    setActivePinia(createPinia())
    const store = defineStore('chosen', { state: () => ({ chosen: data }) })()
    expect(store.chosen).toBe(data)
    expect(() => structuredClone(toRaw(chosen.value))).not.toThrow()
    expect(Object.keys(data)).not.toContain('__v_skip')
  })
})

test('is not frozen', async () => {
  for (const make of Object.values(kept)) expect(Object.isFrozen(await make(new Controller()))).toBe(false)
})

test('methods of a record with private fields work from a ref', async () => {
  const todo = (await kept['a record']!(new Controller())) as Todo
  expect(ref(todo).value.seal()).toBe('sealed')
})

describe.each([false, true])(
  "Pinia's $patch replaces data in its state, and changes none: development %s",
  (development) => {
    beforeEach(() => {
      flag.development = development
      return () => (flag.development = false)
    })

    test.each(Object.keys(kept))('%s', async (name) => {
      const made = [new Controller(), new Controller()].map(kept[name]!)
      const [one, two] = (await Promise.all(made)) as [object, object]
      const before = JSON.stringify(one)
      setActivePinia(createPinia())
      const store = defineStore('open', { state: () => ({ chosen: one, inside: { chosen: one } }) })()
      store.$patch({ chosen: two, inside: { chosen: two } })
      expect(store.chosen).toBe(two)
      expect(store.inside.chosen).toBe(two)
      expect([JSON.stringify(one), Object.isFrozen(one)]).toEqual([before, development])
    })

    test('a record by another', async () => {
      const [one, two] = (await kept['a list']!(new Controller())) as Todo[]
      setActivePinia(createPinia())
      const store = defineStore('open', { state: () => ({ todo: one }) })()
      store.$patch({ todo: two! })
      expect(store.todo).toBe(two)
      expect([{ ...one }, JSON.stringify(two)]).toEqual([todos[0], JSON.stringify(todos[1])])
    })
  },
)

test('a copy is an ordinary object, which can be edited', async () => {
  const todo = (await kept['a record']!(new Controller())) as Todo
  expect(isReactive(ref({ ...todo }).value)).toBe(true)
  const list = (await kept['a list']!(new Controller())) as Todo[]
  expect(isReactive(ref([...list]).value)).toBe(true)
})

test('a payload with a field of that name is stored as it is', async () => {
  const todo = await new Controller().fetch(respond('odd', Todo, { id: 3, title: 'x', __v_skip: false }))
  expect(todo).toMatchObject({ id: 3, __v_skip: false })
})
