import { expect, test, vi } from 'vitest'
import { defineComponent, h } from 'vue'
import { mountPage, settle, watchConsole } from '../test-support.js'
import { useLoading } from './index.js'

watchConsole()

test('an event handler that runs it reports no error: the page shows it', async () => {
  const errorHandler = vi.fn()
  const Form = defineComponent({
    setup() {
      const { run, error } = useLoading(() => Promise.reject(new Error('refused')))
      return () => [h('button', { onClick: run }), error.value?.message]
    },
  })
  const { element, text } = await mountPage(
    undefined,
    () => h(Form),
    (app) => (app.config.errorHandler = errorHandler),
  )
  element.querySelector('button')?.click()
  await settle()
  expect(text()).toBe('refused')
  expect(errorHandler).not.toHaveBeenCalled()
})

test('run gives the result of the function, or rejects as that does', async () => {
  const { run } = useLoading((count: number) => {
    if (count < 0) throw new RangeError('too few')
    return Promise.resolve(count + 1)
  })
  expect(await run(1)).toBe(2)
  await expect(async () => await run(-1)).rejects.toThrow(RangeError)
  expect(await run(2).then((count) => count * 2)).toBe(6)
})
