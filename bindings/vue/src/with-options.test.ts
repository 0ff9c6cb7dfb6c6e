import { optionPlaces } from '@selfsame/conformance/option-places'
import type { GiveOptions } from '@selfsame/conformance/option-places'
import { Inspector } from '@selfsame/core/inspect'
import { computed, defineComponent, h, ref } from 'vue'
import { describe, expect, test } from 'vitest'
import { createStage, mountPage, settle, watchConsole } from '../test-support.js'
import { AsyncBoundary, useDLE, useLast, useSuspense, withOptions } from './index.js'
import type { ReactiveOptions } from './index.js'

// An option is a value, a ref or a getter. A changed option requests nothing, but for what was due while the reader was paused.

watchConsole()

const route = 'GET /todo/5'

/** The ways to give an option that changes, with how to change it. */
const ways = {
  'a ref': <Value>(first: Value) => {
    const option = ref(first)
    return { option, set: (value: Value) => (option.value = value as typeof option.value) }
  },
  'a computed ref': <Value>(first: Value) => {
    const source = ref(first)
    const option = computed(() => source.value)
    return { option, set: (value: Value) => (source.value = value as typeof source.value) }
  },
  'a getter': <Value>(first: Value) => {
    const source = ref(first)
    return {
      option: () => source.value,
      set: (value: Value) => (source.value = value as typeof source.value),
    }
  },
}

type Endpoint = ReturnType<typeof createStage>['api']['todo']['get']

const places = optionPlaces<Endpoint, ReactiveOptions>(withOptions)
const cases = Object.entries(ways).flatMap(([way, make]) => places.map((place) => ({ way, make, ...place })))

/** Mounts a reader of todo 5 with options, and records the requests. */
async function mountReader(
  options: ReactiveOptions,
  give: GiveOptions<Endpoint, ReactiveOptions> = withOptions,
  hook: typeof useDLE = useDLE,
) {
  const stage = createStage()
  const params = ref({ id: 5 })
  const Reader = defineComponent({
    setup() {
      const { data, isLast } = hook(give(stage.api.todo.get, options), () => params.value)
      return () => `${data.value?.title ?? '…'}${isLast.value ? ' before' : ''}`
    },
  })
  const page = await mountPage(stage.controller, () => h(Reader))
  const pass = async (ms: number) => {
    stage.clock.advance(ms)
    await settle()
  }
  return { ...stage, page, params, pass }
}

describe.each(cases)('an option that is $way, $place', ({ make, give }) => {
  test('keepPrevious applies from the next other arguments on', async () => {
    const keepPrevious = make(false)
    const { page, params, server } = await mountReader(
      { keepPrevious: keepPrevious.option as () => boolean },
      give,
    )
    server.hold('GET /todo/6')
    keepPrevious.set(true)
    await settle()
    expect(server.requests).toEqual([route])
    params.value = { id: 6 }
    await settle()
    expect(page.text()).toBe('Todo 5 before')
    keepPrevious.set(false)
    params.value = { id: 7 }
    await settle()
    expect(page.text()).toBe('…')
  })

  test('an interval is followed', async () => {
    const interval = make<number | undefined>(5000)
    const { pass, server } = await mountReader({ interval: interval.option as () => number }, give)
    interval.set(1000)
    await settle()
    expect(server.requests).toEqual([route])
    await pass(1000)
    expect(server.requests).toEqual([route, route])
    interval.set(undefined)
    await settle()
    await pass(10_000)
    expect(server.requests).toEqual([route, route])
    interval.set(2000)
    await settle()
    expect(server.requests).toEqual([route, route])
    await pass(2000)
    expect(server.requests).toEqual([route, route, route])
  })

  test('a reader that is paused goes on with what is due', async () => {
    const paused = make(true)
    const { api, controller, server } = await mountReader({ paused: paused.option as () => boolean }, give)
    expect(server.requests).toEqual([])
    paused.set(false)
    await settle()
    expect(server.requests).toEqual([route])
    paused.set(true)
    await settle()
    controller.expireAll(api.todo.get)
    await settle()
    expect(server.requests).toEqual([route])
    paused.set(false)
    await settle()
    expect(server.requests).toEqual([route, route])
  })

  test('a suspending reader that is paused from the start goes on', async () => {
    const paused = make(true)
    const { api, controller, server } = createStage()
    const Title = defineComponent({
      async setup() {
        const options = { paused: paused.option as () => boolean }
        const todo = await useSuspense(give(api.todo.get, options), { id: 5 })
        return () => todo.value.title
      },
    })
    const page = await mountPage(controller, () =>
      h(AsyncBoundary, null, { default: () => h(Title), fallback: () => '…' }),
    )
    expect([page.text(), server.requests]).toEqual(['…', []])
    paused.set(false)
    await settle()
    expect([page.text(), server.requests]).toEqual(['Todo 5', [route]])
  })

  test('a name is the one that tools list', async () => {
    const name = make('first')
    const { controller, server } = await mountReader({ name: name.option as () => string }, give)
    const inspector = new Inspector(controller)
    expect(inspector.calls()[0]?.readers).toEqual(['first'])
    name.set('second')
    await settle()
    expect(inspector.calls()[0]?.readers).toEqual(['second'])
    expect(server.requests).toEqual([route])
  })

  test('ssr changes nothing in a browser', async () => {
    const ssr = make(false)
    const { page, server } = await mountReader({ ssr: ssr.option as () => boolean }, give)
    ssr.set(true)
    await settle()
    expect(page.text()).toBe('Todo 5')
    expect(server.requests).toEqual([route])
  })
})

test.each(Object.entries(ways))('useLast follows an interval that is %s', async (_, make) => {
  const interval = make<number | undefined>(5000)
  const options = { interval: interval.option as () => number }
  const { pass, server } = await mountReader(options, withOptions, useLast as unknown as typeof useDLE)
  interval.set(1000)
  await settle()
  await pass(1000)
  expect(server.requests).toEqual([route, route])
})

test('an endpoint with other refs later is followed', async () => {
  const [slow, fast, isFast] = [ref(9000), ref(1000), ref(false)]
  const stage = createStage()
  const Reader = defineComponent({
    setup() {
      const { data } = useDLE(
        () => withOptions(stage.api.todo.get, { interval: isFast.value ? fast : slow }),
        { id: 5 },
      )
      return () => data.value?.title
    },
  })
  await mountPage(stage.controller, () => h(Reader))
  const pass = async (ms: number) => {
    stage.clock.advance(ms)
    await settle()
  }
  isFast.value = true
  await settle()
  await pass(1000)
  expect(stage.server.requests).toHaveLength(2)
  fast.value = 500
  await settle()
  await pass(500)
  expect(stage.server.requests).toHaveLength(3)
})
