import { expect, test } from 'vitest'
import { computed, isProxy, isReadonly, isRef, reactive, unref, watch } from 'vue'
import { watchConsole } from '../test-support.js'
import { createOwnedRef } from './owned-ref.js'

const logged = watchConsole()

test('is followed when its maker writes it', () => {
  const { ref, set } = createOwnedRef<{ title: string } | undefined>(undefined)
  let looks = 0
  const title = computed(() => {
    looks++
    return ref.value?.title
  })
  expect(title.value).toBeUndefined()
  const todo = { title: 'Buy milk' }
  set(todo)
  expect(title.value).toBe('Buy milk')
  expect(looks).toBe(2)
  set(todo)
  expect(title.value).toBe('Buy milk')
  expect(looks).toBe(2)
  expect(isRef(ref)).toBe(true)
  expect(unref(ref)).toBe(todo)
  expect(isProxy(ref.value)).toBe(false)
})

test('is not written by others, who are told so', () => {
  const { ref } = createOwnedRef(5)
  ;(ref as { value: number }).value = 6
  expect(ref.value).toBe(5)
  expect(logged.take().join()).toMatch(/readonly/)
})

test('gives its value as it is inside of reactive objects, lists and maps', () => {
  class Todo {
    title = 'Buy milk'
  }
  const todo = new Todo()
  const { ref, set } = createOwnedRef(todo)
  expect(isReadonly(ref)).toBe(true)
  expect(reactive({ ref }).ref).toBe(todo)
  const list = reactive([ref])
  expect(list.map(({ value }) => value)[0]).toBe(todo)
  for (const { value } of list) expect(value).toBe(todo)
  expect(reactive(new Map([['todo', ref]])).get('todo')?.value).toBe(todo)
  let changes = 0
  watch(list, () => changes++, { flush: 'sync' })
  set(new Todo())
  expect(changes).toBe(1)
})
