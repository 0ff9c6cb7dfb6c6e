import { Controller, Endpoint } from '@selfsame/core'
import { Suspense } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { forbidConsole, openPage, settle } from '../test-app.js'
import { DataProvider, useCache, useController, useFetch, useSuspense } from './index.js'

beforeEach(forbidConsole)

/** Counts its calls. */
function createCounting() {
  const counting = {
    calls: 0,
    endpoint: new Endpoint(
      async () => {
        counting.calls++
        return { answer: 42 }
      },
      { name: 'answer' },
    ),
  }
  return counting
}

test('makes one Controller when none is given, also when there is no Suspense above a reader', async () => {
  const counting = createCounting()
  const controllers = new Set<Controller>()
  function Reader() {
    controllers.add(useController())
    return useSuspense(counting.endpoint).answer
  }
  const app = () => (
    <DataProvider>
      <Reader />
    </DataProvider>
  )
  const page = await openPage(app())
  await settle()
  await page.render(app())
  expect(page.text).toBe('42')
  expect([counting.calls, controllers.size]).toEqual([1, 1])
})

test('gives the Controller that it is given, and follows a change of it', async () => {
  const counting = createCounting()
  function Reader() {
    return useSuspense(counting.endpoint).answer
  }
  const app = (controller: Controller) => (
    <DataProvider controller={controller}>
      <Suspense fallback="…">
        <Reader />
      </Suspense>
    </DataProvider>
  )
  const page = await openPage(app(new Controller()))
  await settle()
  await page.render(app(new Controller()))
  await settle()
  expect(page.text).toBe('42')
  expect(counting.calls).toBe(2)
})

describe('without a provider', () => {
  const { endpoint } = createCounting()
  const hooks = {
    'useSuspense(answer)': () => void useSuspense(endpoint),
    'useCache(answer)': () => void useCache(endpoint),
    'useFetch(answer)': () => void useFetch(endpoint),
    'useController()': () => void useController(),
  }
  for (const [call, hook] of Object.entries(hooks)) {
    test(`${call} names itself and the remedy`, async () => {
      function Lost() {
        hook()
        return null
      }
      await expect(openPage(<Lost />)).rejects.toMatchObject({
        code: 'provider-missing',
        message: `${call} was called outside a DataProvider. Wrap the app in <DataProvider>.`,
      })
    })
  }

  test('says so when the provider above is of another copy of the package (B7)', async () => {
    vi.resetModules()
    const other = await import('./index.js')
    function Lost() {
      useController()
      return null
    }
    expect(other.DataProvider).not.toBe(DataProvider)
    await expect(
      openPage(
        <other.DataProvider>
          <Lost />
        </other.DataProvider>,
      ),
    ).rejects.toThrow(
      `useController() was called outside a DataProvider. There is a <DataProvider>, but of another copy of @selfsame/react.
  Let one copy be loaded: look at \`npm ls @selfsame/react\`, or name the package in the bundler's \`resolve.dedupe\`.`,
    )
  })
})

test('a hook that is given no endpoint says what it takes', async () => {
  const nothing = undefined as unknown as ReturnType<typeof createCounting>['endpoint']
  function Wrong() {
    return useSuspense(nothing).answer
  }
  await expect(
    openPage(
      <DataProvider controller={new Controller()}>
        <Wrong />
      </DataProvider>,
    ),
  ).rejects.toThrow('useSuspense was given nothing where it takes an endpoint.')
})
