import { Controller, Endpoint } from '@selfsame/core'
import { Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { actAlone, forbidConsole, openPage, settle } from '../test-app.js'
import { DataProvider, useCache, useController, useFetch, useSuspense } from './index.js'

beforeEach(forbidConsole)

/** Counts its calls. @param latencyMs - how long a response takes */
function createCounting(latencyMs = 0) {
  const counting = {
    calls: 0,
    endpoint: new Endpoint(
      async () => {
        counting.calls++
        if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs))
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

describe('a Controller made by useState above the first boundary', () => {
  function openApp(inside: (reader: ReactNode) => ReactNode, latencyMs = 0) {
    const counting = createCounting(latencyMs)
    const uncaught: unknown[] = []
    function Reader() {
      return useSuspense(counting.endpoint).answer
    }
    function App() {
      const [controller] = useState(() => new Controller())
      return <DataProvider controller={controller}>{inside(<Reader />)}</DataProvider>
    }
    const container = document.createElement('div')
    const root = createRoot(container, { onUncaughtError: (error) => uncaught.push(error) })
    onTestFinished(() => actAlone(() => root.unmount()))
    root.render(<App />)
    return { container, counting, uncaught }
  }

  test('is one error, instead of requests without end', async () => {
    const { counting, uncaught } = openApp((reader) => reader)
    await vi.waitUntil(() => uncaught.length > 0, { timeout: 20_000 })
    expect(uncaught).toMatchObject([
      {
        code: 'controller-remade',
        message: expect.stringContaining('Create the Controller outside of components'),
      },
    ])
    const { calls } = counting
    expect(calls).toBe(10)
    await settle()
    expect([counting.calls, uncaught.length]).toEqual([calls, 1])
  })

  // React starts over before the response, so that several requests are under way at once.
  test.each([5, 20, 60, 200])('is one error where a response takes %i ms', async (latencyMs) => {
    const { counting, uncaught } = openApp((reader) => reader, latencyMs)
    await vi.waitUntil(() => uncaught.length > 0, { timeout: 20_000 })
    expect(uncaught).toMatchObject([{ code: 'controller-remade' }])
    const { calls } = counting
    expect(calls).toBeLessThan(40)
    await settle()
    expect([counting.calls, uncaught.length]).toEqual([calls, 1])
  })

  test('is kept with a boundary inside of the provider', async () => {
    const { container, counting, uncaught } = openApp((reader) => <Suspense>{reader}</Suspense>)
    await vi.waitUntil(() => container.textContent === '42')
    expect([counting.calls, uncaught]).toEqual([1, []])
  })
})

test('many providers that wait together, without a boundary, are no such thing', async () => {
  const countings = Array.from({ length: 15 }, createCounting)
  function Reader({ counting }: { readonly counting: ReturnType<typeof createCounting> }) {
    return useSuspense(counting.endpoint).answer
  }
  const parts = countings.map((counting) => [counting, new Controller()] as const)
  const page = await openPage(
    parts.map(([counting, controller], index) => (
      // The list never changes.
      // eslint-disable-next-line react/no-array-index-key
      <DataProvider key={index} controller={controller}>
        <Reader counting={counting} />
      </DataProvider>
    )),
  )
  await vi.waitUntil(() => page.text === '42'.repeat(15))
  expect(countings.map(({ calls }) => calls)).toEqual(countings.map(() => 1))
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
      `useController() was called outside a DataProvider. There is a <DataProvider>, but it comes from another copy of @selfsame/react.
  Load only one copy: look at \`npm ls @selfsame/react\`, or add the package to \`resolve.dedupe\` of the bundler.`,
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
  ).rejects.toThrow('useSuspense received nothing instead of an endpoint.')
})

test('warns once of a Controller that a component makes in each render, and not of one for each user', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warned.mockRestore())
  const page = await openPage(<DataProvider controller={new Controller()}>0</DataProvider>)
  for (let round = 1; round < 3; round++) {
    const controller = new Controller()
    for (let user = 0; user < 2; user++)
      await page.render(<DataProvider controller={controller}>{round}</DataProvider>)
  }
  expect(warned).not.toHaveBeenCalled()
  for (let round = 1; round < 6; round++)
    await page.render(<DataProvider controller={new Controller()}>{round}</DataProvider>)
  expect(warned.mock.calls).toEqual([
    [
      expect.stringContaining(
        'DataProvider received 3 Controllers in a row, and lost each one with its responses.',
      ),
    ],
  ])
})
