import { expect, test } from 'vitest'
import { Suspense, computed, defineComponent, h, ref, shallowRef } from 'vue'
import { createStage, mountPage, settle, watchConsole } from '../test-support.js'
import { useDLE, useDLEAll, useInfinite, useSuspense } from './index.js'

const logged = watchConsole()

/** Mounts a component with a prop, and changes the prop. */
async function changeProp(use: (props: { readonly id: number; readonly page: number }) => unknown) {
  const { controller } = stage
  const id = shallowRef(5)
  const Detail = defineComponent({
    props: ['id', 'page'],
    setup(props: { readonly id: number; readonly page: number }) {
      use(props)
      return () => h('p')
    },
  })
  await mountPage(controller, () =>
    h(Suspense, null, { default: () => h(Detail, { id: id.value, page: 1 }) }),
  )
  await settle()
  id.value = 6
  await settle()
  id.value = 7
  await settle()
  return logged.take()
}

let stage: ReturnType<typeof createStage>
const todo = () => stage.api.todo

test('a plain argument that is a copy of a prop is warned of once, when the prop has changed', async () => {
  stage = createStage()
  const warnings = await changeProp(({ id }) => void useSuspense(todo().get, { id }))
  expect(warnings).toEqual([
    `[selfsame] useSuspense(${todo().get.name}) is read only once here: the component does not show later changes.
  Its argument has id: 5, but the prop id is now 6.
  Pass a getter: useSuspense(${todo().get.name}, () => ({ id: props.id }))`,
  ])
  expect(await changeProp(({ id }) => void useDLE(todo().get, { id }))).toHaveLength(1)
})

test('getters, constants and props that stay as they are are not', async () => {
  stage = createStage()
  expect(await changeProp((props) => void useDLE(todo().get, () => ({ id: props.id })))).toEqual([])
  expect(await changeProp(() => void useDLE(todo().get, { id: 6 }))).toEqual([])
  expect(await changeProp((props) => void useDLE(todo().getList, { userId: 1, page: props.page }))).toEqual(
    [],
  )
})

test.each<[string, () => unknown]>([
  ['in an object', () => useDLE(todo().getList, { userId: ref(1) } as never)],
  ['in the object of a getter', () => useDLE(todo().getList, (() => ({ userId: ref(1) })) as never)],
  ['in a list of all arguments', () => useDLE(todo().getList, (() => [{ userId: ref(1) }]) as never)],
  ['in an object in it', () => useDLE(todo().getList, { filter: { userId: computed(() => 1) } } as never)],
  ['of a list in pages', () => useInfinite(todo().getList, { userId: ref(1) } as never, byLast)],
  [
    'of a getter of its params',
    () => useInfinite(todo().getList, () => ({ userId: ref(1) }) as never, byLast),
  ],
  ['of one of several calls', () => useDLEAll([[todo().getList, { userId: ref(1) } as never]])],
])('a ref as a param, %s, is an error that names it', async (_, use) => {
  stage = createStage()
  let thrown: unknown
  await changeProp(() => {
    try {
      use()
    } catch (error) {
      thrown = error
    }
  })
  expect(String(thrown)).toContain('The argument of a composable has a ref as "userId"')
  logged.take()
})

const byLast = { next: () => undefined }
