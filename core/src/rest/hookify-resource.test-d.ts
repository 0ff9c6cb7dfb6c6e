import { describe, expectTypeOf, test } from 'vitest'
import { Entity } from '../schema/entity.js'
import { hookifyResource } from './hookify-resource.js'
import type { HookifiedResource } from './hookify-resource.js'
import { createResource } from './resource.js'

class Todo extends Entity {
  id = 0
  title = ''
}
const todo = createResource({ path: '/:group/:id', schema: Todo })
const hooks = hookifyResource(todo, () => ({ headers: { 'Access-Token': 'x' } }))

describe('hookifyResource', () => {
  test('each hook gives the type of its member', () => {
    expectTypeOf(hooks).toEqualTypeOf<HookifiedResource<typeof todo>>()
    expectTypeOf<keyof typeof hooks>().toEqualTypeOf<
      'useGet' | 'useGetList' | 'useCreate' | 'useUpdate' | 'usePartialUpdate' | 'useDelete'
    >()
    expectTypeOf(hooks.useGet).toEqualTypeOf<() => typeof todo.get>()
    expectTypeOf(hooks.useGetList()).toEqualTypeOf<typeof todo.getList>()
    expectTypeOf(hooks.useCreate()).toEqualTypeOf<typeof todo.create>()
    expectTypeOf(hooks.useUpdate()).toEqualTypeOf<typeof todo.update>()
    expectTypeOf(hooks.usePartialUpdate()).toEqualTypeOf<typeof todo.partialUpdate>()
    expectTypeOf(hooks.useDelete()).toEqualTypeOf<typeof todo.delete>()
    expectTypeOf(hooks.useGet()({ group: 'a', id: 5 })).resolves.toEqualTypeOf<Todo>()
    // @ts-expect-error -- the path needs an id
    void hooks.useGet()({ group: 'a' })
  })

  test('members that were added or extended keep their types', () => {
    const own = { ...todo, makeManager: todo.create.extend({ path: '/users/:id/make_manager' }) }
    expectTypeOf(hookifyResource(own, () => null).useMakeManager()).toEqualTypeOf<typeof own.makeManager>()
  })

  test('useInit may give a value, a getter, a ref or a store, of request init without method and body', () => {
    const init = { headers: { a: '1' } }
    hookifyResource(todo, () => init)
    hookifyResource(todo, () => () => init)
    hookifyResource(todo, () => ({ value: init }))
    hookifyResource(todo, () => ({
      subscribe(run: (value: typeof init) => void) {
        run(init)
        return () => {}
      },
    }))
    // @ts-expect-error -- a token is no request init
    hookifyResource(todo, () => 'x')
    // @ts-expect-error -- the member's own method stays
    hookifyResource(todo, () => ({ method: 'POST' }))
  })
})
