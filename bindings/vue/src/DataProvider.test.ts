import { Controller } from '@selfsame/core'
import { createApp, createSSRApp, defineComponent, h, nextTick, ref } from 'vue'
import { expect, test, vi } from 'vitest'
import { createStage, mountPage, watchConsole } from '../test-support.js'
import { DataProvider, dataPlugin, useController } from './index.js'

const { take } = watchConsole()

const createUser = (found: Controller[]) =>
  defineComponent({
    setup() {
      found.push(useController())
      return () => ''
    },
  })

test('the component and the plugin give their Controller, the nearest wins', async () => {
  const found: Controller[] = []
  const User = createUser(found)
  const [first, second] = [createStage().controller, createStage().controller]
  await mountPage(first, () => [h(User), h(DataProvider, { controller: second }, () => h(User))])
  expect(found[0]).toBe(first)
  expect(found[1]).toBe(second)
})

test('a Controller of its own ends with the component, a given one does not', async () => {
  const dispose = vi.spyOn(Controller.prototype, 'dispose')
  const found: Controller[] = []
  const User = createUser(found)
  const given = createStage().controller
  const { app } = await mountPage(undefined, () => [
    h(DataProvider, () => h(User)),
    h(DataProvider, { controller: given }, () => h(User)),
  ])
  expect(found[1]).toBe(given)
  app.unmount()
  expect(dispose.mock.contexts).toEqual([found[0]])
})

test('a Controller of the plugin ends with the app', () => {
  const dispose = vi.spyOn(Controller.prototype, 'dispose')
  const found: Controller[] = []
  const app = createApp(createUser(found)).use(dataPlugin)
  app.mount(document.createElement('div'))
  expect(dispose).not.toHaveBeenCalled()
  app.unmount()
  expect(dispose.mock.contexts).toEqual(found)
})

test('a Controller of another copy of the core is an error that says so', () => {
  const errors: unknown[] = []
  const app = createSSRApp(createUser([]))
  app.use(dataPlugin, { controller: { fetch() {} } as unknown as Controller })
  expect(() => app.runWithContext(() => useController())).toThrow(
    'useController() was called outside a DataProvider. There is a DataProvider, but its Controller comes from another copy of @selfsame/core.',
  )
  expect(errors).toEqual([])
})

test('warns once of a Controller that is made in each render, which is not read', async () => {
  const found: Controller[] = []
  const User = createUser(found)
  const round = ref(0)
  const first = createStage().controller
  const App = defineComponent(() => () => [
    String(round.value),
    h(DataProvider, { controller: round.value === 0 ? first : new Controller() }, () => h(User)),
  ])
  await mountPage(undefined, () => h(App))
  for (round.value = 1; round.value < 4; round.value++) await nextTick()
  expect(found).toEqual([first])
  expect(take()).toEqual([
    expect.stringContaining('The prop `controller` of <DataProvider> is read only once here'),
  ])
})
