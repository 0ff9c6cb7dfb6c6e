import { Entity, Query, schema } from '@selfsame/core'
import { from } from '@selfsame/core/maintained'
import { expect } from 'vitest'
import { Link, Post, Todo, User, todoFields } from '../fixtures.js'
import { listenersOf, retainersOf, scenario, shown } from '../suite.js'

scenario(
  'useQuery/Query',
  'computes a Query, follows it and its arguments, and shares its value with useCache',
  async ({ api, controller, mount, server, settle }) => {
    let runs = 0
    const ofUser = new Query(new schema.All(Todo), (todos, { userId }: { userId: number }) => {
      runs++
      return todos.filter((todo) => todo.userId === userId)
    })
    server.route('GET /todo', [todoFields(5), todoFields(6, { userId: 2 })])
    const reader = await mount('useQuery', ofUser, { userId: 1 })
    const cached = await mount('useCache', ofUser, { userId: 1 })
    expect(shown(reader)).toBeUndefined()
    await controller.fetch(api.todo.getList)
    await settle()
    expect(shown(reader)).toMatchObject([{ id: 5 }])
    expect(shown(cached)).toBe(shown(reader))
    const { renders } = reader
    const computed = runs
    controller.set(User, { id: 1 }, { name: 'Ada' })
    await reader.rerender()
    await settle()
    expect(runs).toBe(computed)
    expect(reader.renders - renders).toBeLessThanOrEqual(1)
    await reader.change({ userId: 2 })
    expect(shown(reader)).toMatchObject([{ id: 6 }])
    expect(server.requests).toEqual(['GET /todo'])
  },
)

scenario(
  'useQuery/Entity',
  'reads a record by what names it, whoever brought it; undefined before and after',
  async ({ api, controller, mount, server, settle }) => {
    const reader = await mount('useQuery', Todo, { id: 5 })
    const byText = await mount('useQuery', Todo, '5')
    expect([shown(reader), shown(byText)]).toEqual([undefined, undefined])
    await controller.fetch(api.todo.getList)
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    expect(shown(reader)).toBe(controller.get(Todo, { id: 5 }))
    expect(shown(byText)).toBe(shown(reader))
    const { renders } = reader
    controller.set(Todo, { id: 6 }, { title: 'Other' })
    await settle()
    expect(reader.renders).toBe(renders)
    controller.set(Todo, { id: 5 }, { title: 'Changed' })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Changed' })
    expect(reader.renders).toBe(renders + 1)
    await controller.fetch(api.todo.delete, { id: 5 })
    await settle()
    expect(shown(reader)).toBeUndefined()
    expect(server.requests).toEqual(['GET /todo', 'DELETE /todo/5'])
  },
)

scenario('useQuery/All', 'reads all records of a type in one list', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const all = new schema.All(Todo)
  const reader = await mount('useQuery', all)
  const other = await mount('useQuery', all)
  expect(shown(reader)).toBeUndefined()
  await controller.fetch(api.todo.getList)
  await settle()
  expect(shown(reader)).toMatchObject([{ id: 5 }, { id: 6 }])
  expect(shown(reader)).toBe(controller.get(all))
  expect(shown(other)).toBe(shown(reader))
  controller.resetAll()
  await settle()
  expect(shown(reader)).toBeUndefined()
  expect(server.requests).toEqual(['GET /todo'])
})

scenario('useQuery/Collection', 'reads the list that the arguments name, once it is there', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const { schema: list } = api.todo.getList
  const reader = await mount('useQuery', list, { userId: 1 })
  expect(shown(reader)).toBeUndefined()
  await controller.fetch(api.todo.getList, { userId: 1 })
  await settle()
  expect(shown(reader)).toBe(controller.get(list, { userId: 1 }))
  await controller.fetch(api.todo.create, { userId: 1 })
  await settle()
  expect(shown(reader)).toMatchObject([{ id: 5 }, { id: 6 }, { id: 9 }])
  expect(server.requests).toEqual(['GET /todo?userId=1', 'POST /todo'])
})

scenario(
  'useQuery/other schemas',
  'reads a Union, and an object of a record, as controller.get does',
  async ({ api, controller, mount, settle }) => {
    const either = new schema.Union({ link: Link, post: Post }, 'type')
    const wrapped = { data: User }
    const item = await mount('useQuery', either, { id: 1, type: 'post' })
    const object = await mount('useQuery', wrapped, { id: 1 })
    expect(shown(item)).toBe(controller.get(either, { id: 1, type: 'post' }))
    expect([shown(item), shown(object)]).toEqual([undefined, undefined])
    controller.set(Post, { id: 1, type: 'post' }, { content: 'Content 1' })
    await controller.fetch(api.user.get, { id: 1 })
    await settle()
    expect(shown(item)).toBe(controller.get(Post, { id: 1 }))
    expect(shown(object)).toEqual({ data: controller.get(User, { id: 1 }) })
  },
)

scenario('useQuery/schemas', 'two schemas with equal arguments are two values', async (stage) => {
  const { api, controller, mount, settle } = stage
  await controller.fetch(api.todo.get, { id: 1 })
  await controller.fetch(api.user.get, { id: 1 })
  const reader = await mount('useQuery', Todo, { id: 1 })
  const user = await mount('useQuery', User, { id: 1 })
  expect([shown(reader), shown(user)]).toMatchObject([{ title: 'Todo 1' }, { name: 'User 1' }])
  await reader.changeEndpoint(User, { id: 1 })
  await settle()
  expect(shown(reader)).toBe(shown(user))
})

scenario('3/null/useQuery', 'null args read nothing and keep nothing', async (stage) => {
  const { api, controller, mount, settle } = stage
  await controller.fetch(api.todo.get, { id: 5 })
  const reader = await mount('useQuery', Todo, null)
  await settle()
  expect(shown(reader)).toBeUndefined()
  expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
  await reader.change({ id: 5 })
  expect(shown(reader)).toMatchObject({ id: 5 })
  await reader.change(null)
  expect(shown(reader)).toBeUndefined()
})

scenario(
  'useQuery/age',
  'what is there is shown whatever its age and the policy, by useCache of a Query too',
  async ({ api, controller, mount, pass, server, settle }) => {
    const all = new schema.All(Todo)
    const titles = new Query(all, (todos) => todos.map(({ title }) => title))
    await controller.fetch(api.todo.get, { id: 5 })
    await pass(60_000)
    const record = await mount('useQuery', Todo, { id: 5 })
    const list = await mount('useQuery', all)
    const query = await mount('useQuery', titles)
    const cached = await mount('useCache', titles)
    await settle()
    expect(shown(record)).toMatchObject({ id: 5 })
    expect(shown(list)).toMatchObject([{ id: 5 }])
    expect([shown(query), shown(cached)]).toEqual([['Todo 5'], ['Todo 5']])
    expect(controller.read(titles).data).toEqual(['Todo 5'])
    expect(server.requests).toEqual(['GET /todo/5'])
  },
  { controller: { policy: 'network-first' } },
)

scenario('useQuery/G6', 'what it shows is never collected', async (stage) => {
  const { api, controller, mount, pass } = stage
  await controller.fetch(api.todo.get, { id: 5 })
  const reader = await mount('useQuery', Todo, { id: 5 })
  await pass(3_600_000)
  await pass(3_600_000)
  expect(shown(reader)).toMatchObject({ id: 5 })
})

/** React and Vue report an error that a boundary caught. */
const isLogged = { isLogged: true }

for (const hook of ['useQuery', 'useCache'] as const) {
  scenario(
    `${hook}/throws`,
    'an error of a Query is shown by the boundary, until a record is mended, and thrown again when it breaks',
    async ({ controller, mount, server, settle }) => {
      const mistake = new Error('no total')
      const total = new Query(new schema.All(Todo), (todos) => {
        if (todos.some(({ title }) => title === 'broken')) throw mistake
        return todos.length
      })
      controller.set(Todo, { id: 5 }, { title: 'broken' })
      const reader = await mount(hook, total)
      await settle()
      expect(reader.current()).toEqual({ state: 'error', error: mistake })
      controller.set(Todo, { id: 5 }, { title: 'mended' })
      await settle()
      expect(shown(reader)).toBe(1)
      controller.set(Todo, { id: 6 }, { title: 'broken' })
      await settle()
      expect(reader.current()).toEqual({ state: 'error', error: mistake })
      await reader.reset()
      await settle()
      expect(reader.current()).toEqual({ state: 'error', error: mistake })
      controller.set(new schema.Delete(Todo), { id: 6 }, {})
      await settle()
      expect(shown(reader)).toBe(1)
      expect(server.requests).toEqual([])
    },
    isLogged,
  )
}

scenario(
  'useQuery/throws/once',
  'a Query that throws runs once for all of its readers, again when its data changes, and when a boundary is reset',
  async ({ controller, mount, settle }) => {
    let runs = 0
    let mistake: Error | undefined = new Error('no total')
    const total = new Query(new schema.All(Todo), (todos) => {
      runs++
      if (mistake !== undefined) throw mistake
      return todos.length
    })
    controller.set(Todo, { id: 5 }, { title: 'a' })
    const readers = [await mount('useQuery', total), await mount('useCache', total)]
    await settle()
    expect(readers.map((reader) => reader.current().state)).toEqual(['error', 'error'])
    expect(runs).toBe(1)
    controller.set(User, { id: 1 }, { name: 'Ada' })
    await settle()
    const late = await mount('useQuery', total)
    await settle()
    expect(late.current()).toEqual({ state: 'error', error: mistake })
    expect(runs).toBe(1)
    controller.set(Todo, { id: 5 }, { title: 'b' })
    await settle()
    expect(runs).toBe(2)
    mistake = undefined
    await late.reset()
    await settle()
    expect(shown(late)).toBe(1)
    expect(runs).toBe(3)
  },
  isLogged,
)

scenario(
  'useQuery/throws/getter',
  'an error of a getter of a nested record is shown, until that record is mended',
  async ({ controller, mount, settle }) => {
    class Owner extends Entity {
      id = 0
      name: string | null = ''
      static override key = 'useQuery Owner'
      get initial() {
        return (this.name as string).charAt(0)
      }
    }
    class Task extends Entity {
      id = 0
      owner: Owner | undefined
      static override key = 'useQuery Task'
      static override schema = { owner: Owner }
    }
    const initials = new Query(new schema.All(Task), (tasks) => tasks.map(({ owner }) => owner?.initial))
    controller.set(new schema.All(Task), {}, [{ id: 1, owner: { id: 2, name: null } }])
    const reader = await mount('useQuery', initials)
    const other = await mount('useQuery', new Query(initials, (found) => found.length))
    await settle()
    expect([reader.current().state, other.current().state]).toEqual(['error', 'error'])
    controller.set(Owner, { id: 2 }, { name: 'Ada' })
    await settle()
    expect([shown(reader), shown(other)]).toEqual([['A'], 1])
  },
  isLogged,
)

scenario(
  'useQuery/throws/read',
  'an error while a record is read is shown, until that record is mended',
  async ({ controller, mount, settle }) => {
    class Person extends Entity {
      id = 0
      name: string | null = null
      static override key = 'useQuery Person'
    }
    class Letter extends Entity {
      id = 0
      to: string | undefined
      static override key = 'useQuery Letter'
      static override schema = { to: new Query(Person, ({ name }) => (name as string).toUpperCase()) }
    }
    controller.set(Person, { id: 2 }, { name: null })
    controller.set(new schema.All(Letter), {}, [{ id: 1, to: { id: 2, name: null } }])
    const readers = [
      await mount('useQuery', Letter, { id: 1 }),
      await mount('useQuery', new schema.All(Letter)),
      await mount('useQuery', { data: Letter }, { id: 1 }),
    ]
    await settle()
    expect(readers.map((reader) => reader.current().state)).toEqual(['error', 'error', 'error'])
    controller.set(Person, { id: 2 }, { name: 'Ada' })
    await settle()
    expect(readers.map(shown)).toMatchObject([{ to: 'ADA' }, [{ to: 'ADA' }], { data: { to: 'ADA' } }])
  },
  isLogged,
)

scenario(
  'useQuery/throws/all',
  'an error of a field that shows all records of its class is shown, until one of them is mended',
  async ({ controller, mount, settle }) => {
    class Part extends Entity {
      id = 0
      size: number | null = null
      all: number | undefined
      static override key = 'useQuery Part'
    }
    const sizes = (parts: Part[]) => parts.reduce((sum, { size }) => sum + Number(size?.toFixed()), 0)
    Part.schema = {
      all: new Query(new schema.All(Part), (parts) => {
        if (parts.some(({ size }) => size === null)) throw new Error('no size')
        return sizes(parts)
      }),
    }
    controller.set(new schema.All(Part), {}, [
      { id: 1, size: 1, all: [] },
      { id: 2, size: null, all: [] },
    ])
    const readers = [
      await mount('useQuery', new Query(new schema.All(Part), (parts) => parts.map(({ all }) => all))),
      await mount('useQuery', new schema.All(Part)),
    ]
    await settle()
    expect(readers.map((reader) => reader.current().state)).toEqual(['error', 'error'])
    controller.set(Part, { id: 2 }, { size: 2 })
    await settle()
    expect(readers.map(shown)).toMatchObject([
      [3, 3],
      [{ all: 3 }, { all: 3 }],
    ])
  },
  isLogged,
)

scenario(
  'useQuery/throws/maintained',
  'an error of a maintained query names its record, and is shown until that is mended',
  async ({ controller, mount, settle }) => {
    const broken = from(Todo).where(({ title }) => {
      if (title === 'broken') throw new Error('no title')
      return true
    })
    controller.set(Todo, { id: 5 }, { title: 'broken' })
    const readers = [
      await mount('useQuery', broken),
      await mount('useQuery', broken.count()),
      await mount('useCache', broken.orderBy('title')),
    ]
    await settle()
    for (const reader of readers)
      expect(reader.current()).toMatchObject({
        state: 'error',
        error: { code: 'value-unusable', message: expect.stringContaining('record Todo "5"') as string },
      })
    controller.set(Todo, { id: 5 }, { title: 'mended' })
    await settle()
    expect(readers.map(shown)).toMatchObject([[{ id: 5 }], 1, [{ id: 5 }]])
  },
  isLogged,
)
