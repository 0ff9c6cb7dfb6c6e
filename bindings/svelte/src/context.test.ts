import { Endpoint } from '@selfsame/core'
import { mount, unmount } from 'svelte'
import { expect, test } from 'vitest'
import Probe from '../testing/Probe.svelte'
import { provideController, useCache, useController, useFetch, useSuspense } from './index.js'

const getTodo = new Endpoint(async ({ id }: { id: number }) => ({ id }), { name: 'getTodo' })

test.each([
  ['useSuspense(getTodo)', () => useSuspense(getTodo, { id: 5 })],
  ['useSuspense()', () => useSuspense(() => getTodo, { id: 5 })],
  ['useCache(getTodo)', () => useCache(getTodo, { id: 5 })],
  ['useFetch(getTodo)', () => useFetch(getTodo, { id: 5 })],
  ['useController()', () => useController()],
])('%s says that there is no provider', (call, hook) => {
  const setup = () => {
    hook()
    return () => ''
  }
  expect(() => mount(Probe, { target: document.body, props: { setup } })).toThrow(
    `${call} was called outside a DataProvider. Wrap the app in <DataProvider>, or call provideController() in a component above this one.`,
  )
})

test('a Controller that a provider made for itself ends with the provider', async () => {
  let controller: ReturnType<typeof provideController> | undefined
  const setup = () => {
    controller = provideController()
    return () => ''
  }
  const component = mount(Probe, { target: document.body, props: { setup } })
  expect(await controller?.fetch(getTodo, { id: 5 })).toEqual({ id: 5 })
  await unmount(component)
  await expect(controller?.fetch(getTodo, { id: 5 })).rejects.toMatchObject({ code: 'controller-disposed' })
})
