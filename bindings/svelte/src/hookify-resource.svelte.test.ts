import type { ServerRequest } from '@selfsame/conformance'
import { hookifyResource } from '@selfsame/core/rest'
import { derived, writable } from 'svelte/store'
import { expect, test } from 'vitest'
import { createStage } from '../testing/stage.js'
import { useSuspense } from './index.js'

const route = 'GET /todo/5'

function createTokenStage() {
  const stage = createStage()
  stage.server.route(route, ({ headers }: ServerRequest) => ({
    id: 5,
    title: `of ${headers.get('Access-Token')}`,
  }))
  return stage
}

test('an endpoint of a hook sends what a store holds when the request is made', async () => {
  const { api, controller, mount, screen, server, settle } = createTokenStage()
  const token = writable('ada')
  const init = derived(token, (value) => ({ headers: { 'Access-Token': value } }))
  const { useGet } = hookifyResource(api.todo, () => init)
  mount(() => {
    const todo = useSuspense(useGet(), { id: 5 })
    return () => todo.current.title
  })
  await settle()
  expect(screen()).toBe('of ada')
  token.set('ben')
  await settle()
  expect(server.requests).toEqual([route])
  controller.resetAll()
  await settle()
  expect(screen()).toBe('of ben')
  expect(server.requests).toEqual([route, route])
})

test('an endpoint of a hook sends what a getter of state gives when the request is made', async () => {
  const { api, controller, mount, screen, server, settle } = createTokenStage()
  let token = $state('ada')
  const { useGet } = hookifyResource(api.todo, () => () => ({ headers: { 'Access-Token': token } }))
  mount(() => {
    const todo = useSuspense(useGet(), { id: 5 })
    return () => todo.current.title
  })
  await settle()
  expect(screen()).toBe('of ada')
  token = 'ben'
  controller.resetAll()
  await settle()
  expect(screen()).toBe('of ben')
  expect(server.requests).toEqual([route, route])
})
