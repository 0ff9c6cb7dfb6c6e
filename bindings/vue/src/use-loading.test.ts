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

test('what run returns is a whole promise: catch and finally work, in an event handler too', async () => {
  const errorHandler = vi.fn()
  const seen: unknown[] = []
  const Form = defineComponent({
    setup() {
      const { run } = useLoading((text: string) => Promise.reject(new Error(text)))
      const seeTwice = () => {
        const running = run('twice')
        void running.catch((error: Error) => seen.push(error.message))
        void running.catch((error: Error) => seen.push(error.message))
        return running
      }
      const see = () =>
        run('once')
          .finally(() => seen.push('over'))
          .catch((error: Error) => seen.push(error.message))
      return () => [h('button', { onClick: seeTwice }), h('a', { onClick: see })]
    },
  })
  const { element } = await mountPage(
    undefined,
    () => h(Form),
    (app) => (app.config.errorHandler = errorHandler),
  )
  element.querySelector('button')?.click()
  await settle()
  expect(seen.splice(0)).toEqual(['twice', 'twice'])
  element.querySelector('a')?.click()
  await settle()
  expect(seen).toEqual(['over', 'once'])
  expect(errorHandler).not.toHaveBeenCalled()
  const { run } = useLoading(() => Promise.reject(new Error('refused')))
  expect(run()).toBeInstanceOf(Promise)
  await expect(run()).rejects.toThrow('refused')
  await expect(Promise.all([run(), run()])).rejects.toThrow('refused')
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
