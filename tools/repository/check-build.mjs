// Loads the built packages as an application without a bundler does, and reads a record through them.
import assert from 'node:assert/strict'
import { Controller, Endpoint, Entity } from '@selfsame/core'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import { retry } from '@selfsame/core/policies'
import { TestClock, createMockController } from '@selfsame/core/testing'
import * as react from '@selfsame/react'
import * as vue from '@selfsame/vue'

const isDevelopment = process.execArgv.includes('--conditions=development')
const place = isDevelopment ? /\/dist-development\/[\w.-]+\.js$/ : /\/dist\/[\w.-]+\.js$/
for (const name of [
  '@selfsame/core',
  '@selfsame/core/rest',
  '@selfsame/core/policies',
  '@selfsame/core/testing',
  '@selfsame/core/live',
  '@selfsame/core/hydration',
  '@selfsame/core/optimistic',
  '@selfsame/core/rules',
  '@selfsame/core/outbox',
  '@selfsame/core/persist',
  '@selfsame/core/tabs',
  '@selfsame/core/storage',
  '@selfsame/core/maintained',
  '@selfsame/core/changes',
  '@selfsame/core/standard-schema',
  '@selfsame/core/zod',
  '@selfsame/core/valibot',
  '@selfsame/core/arktype',
  '@selfsame/react',
  '@selfsame/react/ssr',
  '@selfsame/react/testing',
  '@selfsame/vue',
  '@selfsame/vue/ssr',
  '@selfsame/vue/testing',
  '@selfsame/svelte',
  '@selfsame/svelte/ssr',
  '@selfsame/svelte/testing',
]) {
  assert.match(import.meta.resolve(name), place, `${name} does not resolve to its build`)
}
for (const name of ['react', 'vue']) {
  const { renderDataHook } = await import(`@selfsame/${name}/testing`)
  assert.equal(typeof renderDataHook, 'function', `@selfsame/${name}/testing has no renderDataHook`)
}
for (const binding of [react, vue]) {
  for (const name of [
    'AsyncBoundary',
    'DataProvider',
    'useCache',
    'useController',
    'useFetch',
    'useLive',
    'useSuspense',
  ]) {
    assert.ok(binding[name] !== undefined, `${name} is not exported`)
  }
}

class Todo extends Entity {
  static key = 'Todo'
}
const controller = new Controller({ middleware: [retry()] })
const list = new Endpoint(async () => [{ id: 1, title: 'a' }], { name: 'list', schema: [Todo] })
const [todo] = await controller.fetch(list)
assert.ok(todo instanceof Todo)
assert.equal(todo, controller.get(Todo, { id: 1 }))
assert.equal(Object.isFrozen(todo), isDevelopment, 'freezing belongs to development')
assert.ok(createResource({ path: '/todo/:id', schema: Todo }).get instanceof RestEndpoint)
controller.dispose()
const clock = new TestClock()
const mock = createMockController({ clock, fixtures: [{ endpoint: list, args: [], response: [{ id: 2 }] }] })
assert.equal((await mock.fetch(list))[0].id, 2)
mock.dispose()
assert.equal(clock.timers, 0)
console.log(`The built packages run unbundled${isDevelopment ? ', also for development' : ''}.`)
