import { Todo, reply, todoFields } from '@selfsame/conformance'
import { Query, schema } from '@selfsame/core'
import {
  Suspense,
  defineAsyncComponent,
  defineComponent,
  h,
  nextTick,
  onErrorCaptured,
  onMounted,
  onUnmounted,
  ref,
} from 'vue'
import type { PropType, Ref, VNodeChild } from 'vue'
import { describe, expect, test } from 'vitest'
import { createStage, mountPage, settle, watchConsole } from '../test-support.js'
import { AsyncBoundary, useQuery, useSuspense } from './index.js'
import type { ErrorSlotProps } from './index.js'

const { take } = watchConsole()

const fallback = () => 'Loading'
const error = ({ error: thrown, reset }: ErrorSlotProps) => [
  `Failed: ${thrown.message} `,
  h('button', { onClick: reset }, 'retry'),
]
const press = async (page: { readonly element: Element }) => {
  page.element.querySelector('button')?.click()
  await settle()
}

function createReaders({ api }: ReturnType<typeof createStage>) {
  const TodoTitle = defineComponent({
    props: { id: { type: Number, required: true } },
    async setup(props) {
      const todo = await useSuspense(api.todo.get, () => ({ id: props.id }))
      return () => todo.value.title
    },
  })
  return { TodoTitle }
}

/** A component with state of its own, and a log of its mounts and unmounts. */
function createField() {
  const log: string[] = []
  const Field = defineComponent({
    setup() {
      onMounted(() => log.push('mounted'))
      onUnmounted(() => log.push('unmounted'))
      return () => h('input')
    },
  })
  return { Field, log }
}

describe('while a reader waits', () => {
  test('hides the content and keeps its state', async () => {
    const stage = createStage()
    const { api, controller, server } = stage
    const { TodoTitle } = createReaders(stage)
    const { Field, log } = createField()
    const page = await mountPage(controller, () =>
      h(AsyncBoundary, null, { default: () => [h(TodoTitle, { id: 5 }), h(Field)], fallback }),
    )
    const input = page.element.querySelector('input')
    input?.setAttribute('data-typed', 'x')
    server.hold('GET /todo/5')
    controller.invalidate(api.todo.get, { id: 5 })
    await settle()
    expect(page.text()).toBe('Loading')
    server.release()
    await settle()
    expect(page.text()).toBe('Todo 5')
    expect(page.element.querySelector('input')).toBe(input)
    expect(log).toEqual(['mounted'])
  })

  test('follows what its parent renders meanwhile', async () => {
    const stage = createStage()
    const { controller, server } = stage
    const { TodoTitle } = createReaders(stage)
    const id = ref(1)
    const Page = defineComponent({
      render: () => {
        const current = id.value
        return h(AsyncBoundary, null, { default: () => h(TodoTitle, { id: current }), fallback })
      },
    })
    server.hold('GET /todo/5')
    const page = await mountPage(controller, () => h(Page))
    id.value = 5
    await settle()
    expect(page.text()).toBe('Loading')
    id.value = 6
    await settle()
    expect(page.text()).toBe('Todo 6')
  })

  test('keepPrevious leaves the last value on screen, but not after a reset', async () => {
    const stage = createStage()
    const { controller, server } = stage
    const { TodoTitle } = createReaders(stage)
    const id = ref(5)
    const page = await mountPage(controller, () =>
      h(AsyncBoundary, { keepPrevious: true }, { default: () => h(TodoTitle, { id: id.value }), fallback }),
    )
    server.hold('GET /todo/6')
    id.value = 6
    await settle()
    expect(page.text()).toBe('Todo 5')
    controller.resetAll()
    await nextTick()
    expect(page.text()).toBe('Loading')
    server.release()
    await settle()
    expect(page.text()).toBe('Todo 6')
  })

  test('keepPrevious leaves the last component on screen until the next one has its data', async () => {
    const stage = createStage()
    const { api, controller, server } = stage
    const { TodoTitle } = createReaders(stage)
    const Detail = defineComponent({
      props: { id: { type: Number, required: true } },
      async setup(props) {
        const todo = await useSuspense(api.todo.get, () => ({ id: props.id }))
        return () => `Detail of ${todo.value.title}`
      },
    })
    const { Field, log } = createField()
    const shown = ref<'title' | 'detail' | 'field'>('title')
    const contents = {
      title: () => h(TodoTitle, { id: 5 }),
      detail: () => h(Detail, { id: 6 }),
      field: () => h(Field),
    }
    const page = await mountPage(controller, () =>
      h(AsyncBoundary, { keepPrevious: true }, { default: () => contents[shown.value](), fallback, error }),
    )
    server.hold('GET /todo/6')
    shown.value = 'detail'
    await settle()
    expect(page.text()).toBe('Todo 5')
    // What is on screen is left as well, before the next one is ready.
    shown.value = 'field'
    await settle()
    expect(log).toEqual(['mounted'])
    shown.value = 'detail'
    await settle()
    expect(log).toEqual(['mounted'])
    expect(page.element.querySelector('input')).not.toBeNull()
    server.release()
    await settle()
    expect(page.text()).toBe('Detail of Todo 6')
    expect(log).toEqual(['mounted', 'unmounted'])
  })

  test('keepPrevious leaves the content in place where only a part of it is another one', async () => {
    const stage = createStage()
    const { TodoTitle } = createReaders(stage)
    const { Field, log } = createField()
    const isOpen = ref(false)
    const page = await mountPage(stage.controller, () =>
      h(
        AsyncBoundary,
        { keepPrevious: true },
        { default: () => [h(Field), isOpen.value ? h(TodoTitle, { id: 5 }) : undefined], fallback },
      ),
    )
    isOpen.value = true
    await settle()
    expect(page.text()).toBe('Todo 5')
    expect(log).toEqual(['mounted'])
  })

  test('keepPrevious shows why the next component failed', async () => {
    const stage = createStage()
    const { controller, server } = stage
    const { TodoTitle } = createReaders(stage)
    const { Field } = createField()
    const isOpen = ref(false)
    const page = await mountPage(controller, () =>
      h(
        AsyncBoundary,
        { keepPrevious: true },
        { default: () => (isOpen.value ? h(TodoTitle, { id: 5 }) : h(Field)), fallback, error },
      ),
    )
    server.route('GET /todo/5', reply.status(500))
    isOpen.value = true
    await settle()
    expect(page.text()).toContain('Failed: ')
    server.route('GET /todo/5', { id: 5, title: 'Todo 5' })
    await press(page)
    expect(page.text()).toBe('Todo 5')
  })

  test('makes its content anew after a reset, so that nothing of the last user stays', async () => {
    const stage = createStage()
    const { TodoTitle } = createReaders(stage)
    const { Field, log } = createField()
    await mountPage(stage.controller, () =>
      h(AsyncBoundary, null, { default: () => [h(TodoTitle, { id: 5 }), h(Field)], fallback }),
    )
    stage.controller.resetAll()
    await settle()
    expect(log).toEqual(['mounted', 'unmounted', 'mounted'])
  })

  test('arguments made of the data of another reader keep their type after a reset', async () => {
    const stage = createStage()
    const { api, controller, server } = stage
    const Next = defineComponent({
      props: { idOf: { type: Function, required: true } },
      async setup(props) {
        const todo = await useSuspense(api.todo.get, () => ({ id: Number(props.idOf()) + 1 }))
        return () => todo.value.title
      },
    })
    const First = defineComponent({
      async setup() {
        const todo = await useSuspense(api.todo.get, { id: 5 })
        return () => h(Next, { idOf: () => todo.value.id })
      },
    })
    const page = await mountPage(controller, () =>
      h(AsyncBoundary, null, { default: () => h(First), fallback }),
    )
    await settle()
    expect(page.text()).toBe('Todo 6')
    server.hold('GET /todo/5')
    controller.resetAll()
    await nextTick()
    expect(page.text()).toBe('Loading')
    server.release()
    await settle()
    expect(page.text()).toBe('Todo 6')
  })

  test('a reader that is removed during the first load keeps nobody waiting', async () => {
    const stage = createStage()
    const { controller, server } = stage
    const { TodoTitle } = createReaders(stage)
    server.hold('GET /todo/5')
    const id = ref(5)
    const page = await mountPage(controller, () =>
      h(AsyncBoundary, null, { default: () => h(TodoTitle, { key: id.value, id: id.value }), fallback }),
    )
    expect(page.text()).toBe('Loading')
    id.value = 6
    await settle()
    expect(page.text()).toBe('Todo 6')
    server.route('GET /todo/5', reply.status(500))
    server.release()
    await settle()
    expect(page.text()).toBe('Todo 6')
  })

  test('a reader that is added later makes it wait', async () => {
    const stage = createStage()
    const { controller, server } = stage
    const { TodoTitle } = createReaders(stage)
    const ids = ref([5])
    const page = await mountPage(controller, () =>
      h(AsyncBoundary, null, {
        default: () => ids.value.map((id) => h(TodoTitle, { key: id, id })),
        fallback,
      }),
    )
    server.hold('GET /todo/6')
    ids.value = [5, 6]
    await settle()
    expect(page.text()).toBe('Loading')
    server.release()
    await settle()
    expect(page.text()).toBe('Todo 5Todo 6')
  })

  test('data that is there mounts no fallback, other asynchronous content does', async () => {
    const stage = createStage()
    const { api, controller } = stage
    const { TodoTitle } = createReaders(stage)
    const { Field, log } = createField()
    await controller.fetch(api.todo.get, { id: 5 })
    const slots = { fallback: () => h(Field) }
    await mountPage(controller, () =>
      h(AsyncBoundary, null, { ...slots, default: () => h(TodoTitle, { id: 5 }) }),
    )
    expect(log).toEqual([])
    let load: (component: object) => void = () => {}
    const Lazy = defineAsyncComponent(() => new Promise<object>((resolve) => (load = resolve)))
    const page = await mountPage(controller, () =>
      h(AsyncBoundary, null, { ...slots, default: () => h(Lazy) }),
    )
    expect(log).toEqual(['mounted'])
    load({ render: () => 'Loaded' })
    await settle()
    expect(page.text()).toBe('Loaded')
  })
})

describe('nested', () => {
  test('boundaries wait each for themselves, and their readers start together', async () => {
    const stage = createStage()
    const { controller, server } = stage
    const { TodoTitle } = createReaders(stage)
    server.hold('GET /todo/5', 'GET /todo/6')
    const page = await mountPage(controller, () =>
      h(AsyncBoundary, null, {
        default: () => [
          h(TodoTitle, { id: 5 }),
          h(AsyncBoundary, null, { default: () => h(TodoTitle, { id: 6 }), fallback: () => ' and more' }),
        ],
        fallback,
      }),
    )
    expect(page.text()).toBe('Loading')
    expect(server.requests).toEqual(['GET /todo/5', 'GET /todo/6'])
    server.release('GET /todo/5')
    await settle()
    expect(page.text()).toBe('Todo 5 and more')
    server.release()
    await settle()
    expect(page.text()).toBe('Todo 5Todo 6')
  })

  test('a boundary without an error slot leaves errors to the one around it', async () => {
    const stage = createStage()
    const { api, controller, server } = stage
    const { TodoTitle } = createReaders(stage)
    server.route('GET /todo/5', reply.status(500))
    const page = await mountPage(controller, () =>
      h(AsyncBoundary, null, {
        default: () => [
          'Before ',
          h(AsyncBoundary, null, { default: () => h(TodoTitle, { id: 5 }), fallback }),
        ],
        error,
      }),
    )
    expect(page.text()).toContain('Failed: Todo.get failed: 500')
    server.route('GET /todo/5', { id: 5, title: 'Back' })
    await press(page)
    expect(page.text()).toBe('Before Back')
    server.route('GET /todo/5', reply.status(410))
    await controller.fetch(api.todo.get, { id: 5 }).catch(() => {})
    await settle()
    expect(page.text()).toContain('Failed: Todo.get failed: 410')
    server.route('GET /todo/5', { id: 5, title: 'Again' })
    await press(page)
    expect(page.text()).toBe('Before Again')
  })

  test('it stands in a pending Suspense', async () => {
    const stage = createStage()
    const { controller, server } = stage
    const { TodoTitle } = createReaders(stage)
    server.hold('GET /todo/5')
    const page = await mountPage(controller, () =>
      h(Suspense, null, {
        default: () =>
          h('main', [
            h(TodoTitle, { id: 6 }),
            h(AsyncBoundary, null, { default: () => h(TodoTitle, { id: 5 }), fallback }),
          ]),
        fallback: () => 'Outer',
      }),
    )
    expect(page.text()).toBe('Todo 6Loading')
    server.release()
    await settle()
    expect(page.text()).toBe('Todo 6Todo 5')
  })
})

describe('errors', () => {
  /** Mounts content that throws, in a boundary inside a component with `onErrorCaptured`. */
  async function mountThrowing(content: () => VNodeChild, slots: object = { error }) {
    const { controller } = createStage()
    const outside: unknown[] = []
    const Outside = defineComponent({
      setup() {
        onErrorCaptured((thrown) => {
          outside.push(thrown)
          return false
        })
        return () => h(AsyncBoundary, null, { default: content, ...slots })
      },
    })
    return { page: await mountPage(controller, () => h(Outside)), outside }
  }

  test('of a mounted reader hide the content, which keeps its state until the reset', async () => {
    const stage = createStage()
    const { api, controller, server } = stage
    const { TodoTitle } = createReaders(stage)
    const { Field, log } = createField()
    const page = await mountPage(controller, () =>
      h(AsyncBoundary, null, { default: () => [h(TodoTitle, { id: 5 }), h(Field)], fallback, error }),
    )
    server.route('GET /todo/5', reply.status(410))
    await controller.fetch(api.todo.get, { id: 5 }).catch(() => {})
    await settle()
    expect(page.text()).toBe('Failed: Todo.get failed: 410 from GET https://api.test/todo/5. retry')
    server.route('GET /todo/5', { id: 5, title: 'Back' })
    await press(page)
    expect(page.text()).toBe('Back')
    expect(log).toEqual(['mounted'])
  })

  test('of a reader that was never on screen cost the content its state, and not that of another boundary', async () => {
    const stage = createStage()
    const { controller, server } = stage
    const { TodoTitle } = createReaders(stage)
    const { Field, log } = createField()
    const isAdded = ref(false)
    const added = () => (isAdded.value ? [h(TodoTitle, { id: 6 })] : [])
    const page = await mountPage(controller, () =>
      h(AsyncBoundary, null, { default: () => [h(Field), ...added()], fallback, error }),
    )
    server.route('GET /todo/6', reply.status(410))
    isAdded.value = true
    await settle()
    expect(page.text()).toContain('Failed: Todo.get failed: 410')
    server.route('GET /todo/6', { id: 6, title: 'Back' })
    await press(page)
    expect(page.text()).toBe('Back')
    expect(log).toEqual(['mounted', 'unmounted', 'mounted'])
    const own = createField()
    server.route('GET /todo/6', reply.status(410))
    controller.resetAll()
    isAdded.value = false
    const apart = await mountPage(controller, () =>
      h(AsyncBoundary, null, {
        default: () => [
          h(own.Field),
          isAdded.value ? h(AsyncBoundary, null, { default: added, fallback, error }) : undefined,
        ],
        fallback,
        error,
      }),
    )
    isAdded.value = true
    await settle()
    expect(apart.text()).toContain('Failed: Todo.get failed: 410')
    expect(own.log).toEqual(['mounted'])
  })

  test('of any component are shown, and its content is made anew by the reset', async () => {
    let isBroken = true
    const Broken = defineComponent({
      setup: () => () => {
        if (isBroken) throw new Error('out of order')
        return 'Repaired'
      },
    })
    const { page, outside } = await mountThrowing(() => h(Broken))
    expect(page.text()).toBe('Failed: out of order retry')
    isBroken = false
    await press(page)
    expect(page.text()).toBe('Repaired')
    expect(outside).toEqual([])
  })

  for (const thrown of ['text', null, undefined, { reason: 'none' }]) {
    test(`that are ${JSON.stringify(thrown)} are wrapped, with the original as cause`, async () => {
      let shown: Error | undefined
      const Broken = defineComponent({
        setup() {
          // eslint-disable-next-line no-throw-literal -- the test needs a thrown value that is no Error
          throw thrown
        },
      })
      await mountThrowing(() => h(Broken), {
        error: (props: ErrorSlotProps) => ((shown = props.error), 'Failed'),
      })
      expect(shown).toBeInstanceOf(Error)
      expect(shown?.cause).toBe(thrown)
      expect(take().join()).toContain('missing template or render function')
    })
  }

  test('of event handlers are not caught', async () => {
    const onClick = () => {
      throw new Error('of a click')
    }
    const { page, outside } = await mountThrowing(() => h('button', { onClick }, 'Content'))
    await press(page)
    expect(page.text()).toBe('Content')
    expect(outside).toMatchObject([{ message: 'of a click' }])
  })

  test('of the error slot go to the boundary around, and are not shown in a loop', async () => {
    const Broken = defineComponent({
      setup: () => () => {
        throw new Error('of the content')
      },
    })
    const BrokenToo = defineComponent({
      setup: () => () => {
        throw new Error('of the error slot')
      },
    })
    const { outside } = await mountThrowing(() => h(Broken), { error: () => h(BrokenToo) })
    expect(outside).toMatchObject([{ message: 'of the error slot' }])
  })

  test('without any error slot go to onErrorCaptured', async () => {
    const Broken = defineComponent({
      setup: () => () => {
        throw new Error('out of order')
      },
    })
    const { outside } = await mountThrowing(() => h(Broken), {})
    expect(outside).toMatchObject([{ message: 'out of order' }])
  })
})

test('the element around the content takes no part in the layout, and can be named', async () => {
  const { controller } = createStage()
  const page = await mountPage(controller, () => [
    h(AsyncBoundary, null, { default: () => h('p', 'a') }),
    h('table', h(AsyncBoundary, { tag: 'tbody' }, { default: () => h('tr', h('td', 'b')) })),
  ])
  expect(page.element.innerHTML.replaceAll(/<!--.*?-->/g, '')).toBe(
    '<div style="display: contents;"><p>a</p></div>' +
      '<table><tbody style="display: contents;"><tr><td>b</td></tr></tbody></table>',
  )
})

test('a ref that throws, and that another component has made, is shown again when its data is mended', async () => {
  const { api, controller } = createStage()
  const titles = new Query(new schema.All(Todo), (todos) => todos.map(({ title }) => title.trim()).join())
  controller.setResponse(api.todo.get, { id: 5 }, todoFields(5))
  const isThere = ref(true)
  const Title = defineComponent({
    props: { of: { type: Object as PropType<Ref<string | undefined>>, required: true } },
    setup: (props) => () => props.of.value,
  })
  const seen: unknown[] = []
  const Page = defineComponent({
    setup() {
      const joined = useQuery(titles)
      seen.push(joined)
      const content = { default: () => isThere.value && h(Title, { of: joined }), error }
      return () => [h(AsyncBoundary, null, content), h('hr'), h(AsyncBoundary, null, content)]
    },
  })
  const page = await mountPage(controller, () => h(AsyncBoundary, null, { default: () => h(Page) }))
  expect(page.text()).toBe('Todo 5Todo 5')
  const failed = /^Failed: .*retryFailed: .*retry$/
  const setTitle = async (title: unknown) => {
    controller.set(Todo, { id: 5 }, { title } as never)
    await settle()
  }
  await setTitle(5)
  expect(page.text()).toMatch(failed)
  const joined = seen[0] as Ref<string>
  for (let time = 0; time < 2; time++) expect(() => joined.value).toThrow('trim')
  await setTitle('Mended')
  expect(page.text()).toBe('MendedMended')
  await setTitle(6)
  isThere.value = false
  await settle()
  isThere.value = true
  await settle()
  expect(page.text()).toMatch(failed)
  await setTitle('Again')
  expect(page.text()).toBe('AgainAgain')
})

describe('while an error is shown', () => {
  const route = 'GET /todo/5'

  /** A boundary with a failed reader and content that can change. */
  async function mountFailed(resetKeys = ref<readonly unknown[]>([])) {
    const stage = createStage()
    const { TodoTitle } = createReaders(stage)
    stage.server.route(route, reply.status(404))
    const hasTitle = ref(true)
    let id = 5
    const Hidden = defineComponent({
      async setup() {
        const todo = await useSuspense(stage.api.todo.get, { id })
        return () => todo.value.title
      },
    })
    const content = { default: () => (hasTitle.value ? h(TodoTitle, { id: 5 }) : 'nothing'), fallback, error }
    const contentOfHidden = { default: () => h(Hidden), fallback, error }
    const page = await mountPage(stage.controller, () => [
      h(AsyncBoundary, { resetKeys: resetKeys.value }, content),
      h('hr'),
      h(AsyncBoundary, { resetKeys: resetKeys.value }, contentOfHidden),
    ])
    await settle()
    expect(page.text()).toMatch(/^Failed: .*404.*Failed: .*404/)
    return { ...stage, hasTitle, page, setId: (next: number) => (id = next) }
  }

  test('it goes away with the reader that failed', async () => {
    const { hasTitle, page, server } = await mountFailed()
    hasTitle.value = false
    await settle()
    expect(page.text()).toMatch(/^nothing/)
    expect(server.requests).toEqual([route])
  })

  test('resetKeys try the content again, which asks for what it names by then', async () => {
    const resetKeys = ref<readonly unknown[]>([1])
    const { clock, page, server, setId } = await mountFailed(resetKeys)
    clock.advance(20 * 60_000)
    resetKeys.value = [1]
    await settle()
    resetKeys.value = [2]
    await settle()
    expect(page.text()).toMatch(/^Failed: .*404.*Failed: .*404/)
    expect(server.requests).toEqual([route])
    setId(6)
    resetKeys.value = [3]
    await settle()
    expect(page.text()).toMatch(/^Failed: .*404.*retryTodo 6$/)
    expect(server.requests).toEqual([route, 'GET /todo/6'])
  })

  test('a reset asks for what the content names by then, and not for what failed', async () => {
    const { hasTitle, page, server, setId } = await mountFailed()
    hasTitle.value = false
    setId(6)
    await settle()
    page.element.querySelector('button')?.click()
    await settle()
    expect(page.text()).toBe('nothingTodo 6')
    expect(server.requests).toEqual([route, 'GET /todo/6'])
  })

  test('resetKeys make content anew that failed for a reason of its own', async () => {
    const { controller } = createStage()
    const resetKeys = ref([1])
    let isBroken = true
    const Broken = defineComponent(() => () => {
      if (isBroken) throw new Error('broken')
      return 'mended'
    })
    const page = await mountPage(controller, () =>
      h(AsyncBoundary, { resetKeys: resetKeys.value }, { default: () => h(Broken), error }),
    )
    expect(page.text()).toMatch(/^Failed: broken/)
    isBroken = false
    resetKeys.value = [2]
    await settle()
    expect(page.text()).toBe('mended')
  })
})
