import { expect, test } from 'vitest'
import { computed, isProxy, isRef, unref } from 'vue'
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
