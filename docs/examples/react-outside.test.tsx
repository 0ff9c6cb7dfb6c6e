import { Controller } from '@selfsame/core'
import { DataProvider } from '@selfsame/react'
import {
  RouterProvider as TanStackProvider,
  createMemoryHistory,
} from '@tanstack/react-router'
import { act } from 'react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { todoResource } from './api.js'
import { createRoutes } from './react-router.js'
import { createAppRouter } from './tanstack-router.js'
import { serve } from './testing-network.js'

// The samples of docs/outside-components.md for React.

beforeAll(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  // TanStack Router scrolls.
  vi.stubGlobal('scrollTo', () => {})
})
afterAll(() => vi.unstubAllGlobals())

/** An application with a router, and what a visitor does with it. */
interface Router {
  readonly page: ReactNode
  readonly path: () => string
  readonly go: (to: string) => Promise<unknown>
}

const routers: Readonly<Record<string, (controller: Controller) => Router>> = {
  'React Router': (controller) => {
    const router = createMemoryRouter(createRoutes(controller), {
      initialEntries: ['/login'],
    })
    onTestFinished(() => router.dispose())
    return {
      page: <RouterProvider router={router} />,
      path: () => router.state.location.pathname,
      go: (to) => router.navigate(to),
    }
  },
  'TanStack Router': (controller) => {
    const router = createAppRouter(
      controller,
      createMemoryHistory({ initialEntries: ['/login'] }),
    )
    return {
      page: <TanStackProvider router={router as never} />,
      path: () => router.state.location.pathname,
      go: (to) => router.navigate({ to } as never),
    }
  },
}

/** Puts it on the page, and notes each text that the page shows. */
async function open<Made extends Router>(
  makeRouter: (controller: Controller) => Made,
) {
  const controller = new Controller()
  const router = makeRouter(controller)
  const element = document.body.appendChild(document.createElement('div'))
  const shown: string[] = []
  const watcher = new MutationObserver(() => shown.push(element.textContent))
  watcher.observe(element, {
    childList: true,
    characterData: true,
    subtree: true,
  })
  const root = createRoot(element, { onCaughtError: () => {} })
  onTestFinished(async () => {
    await act(() => root.unmount())
    watcher.disconnect()
    element.remove()
    controller.dispose()
  })
  await act(async () =>
    root.render(
      <DataProvider controller={controller}>{router.page}</DataProvider>,
    ),
  )
  const sees = (text: string) =>
    vi.waitFor(() => expect(element.textContent).toContain(text))
  return { ...router, controller, sees, shown }
}

const linesOf = (requests: ReturnType<typeof serve>) =>
  requests.map(({ line }) => line)
const todo = { id: 2, title: 'Write', completed: false }

test.each(Object.entries(routers))(
  '%s: a loader fetches what its page reads at once, and lets no stranger in',
  async (_name, makeRouter) => {
    let isSignedIn = false
    const requests = serve({
      'GET /me': () =>
        isSignedIn ? { id: 1, name: 'Ann' } : new Response('', { status: 401 }),
      'GET /todo/2': todo,
    })
    const { go, path, sees, shown } = await open(makeRouter)
    await sees('Sign in')
    await act(() => go('/todo/2'))
    expect(path()).toBe('/login')
    isSignedIn = true
    await act(() => go('/todo/2'))
    await sees('Write')
    expect(linesOf(requests)).toEqual(['GET /me', 'GET /me', 'GET /todo/2'])
    // The page fails with what its loader failed with.
    await act(() => go('/todo/7'))
    await sees('failed: 404')
    await act(() => go('/todo/2'))
    await sees('Write')
    expect(linesOf(requests).slice(3)).toEqual(['GET /todo/7'])
    expect(shown).toContain('Write')
    expect(shown.filter((text) => text.includes('Loading'))).toEqual([])
  },
)

test.each(Object.entries(routers))(
  '%s: a navigation that is given up aborts its request',
  async (_name, makeRouter) => {
    const requests = serve({
      'GET /me': { id: 1, name: 'Ann' },
      'GET /todo/2': todo,
      'GET /todo/3': new Promise(() => {}),
    })
    const { controller, go, path, sees } = await open(makeRouter)
    await sees('Sign in')
    let given: Promise<unknown> | undefined
    await act(async () => {
      given = go('/todo/3')
      await vi.waitFor(() =>
        expect(linesOf(requests)).toEqual(['GET /me', 'GET /todo/3']),
      )
    })
    await act(() => go('/todo/2'))
    await given
    await sees('Write')
    expect(path()).toBe('/todo/2')
    expect(requests.map(({ signal }) => signal?.aborted ?? false)).toEqual([
      false,
      true,
      false,
    ])
    expect(controller.read(todoResource.get, { id: 3 }).error).toBeUndefined()
  },
)

test('React Router: a sign-out leaves the private page before the reset', async () => {
  let isSignedIn = true
  const requests = serve({
    'GET /me': { id: 1, name: 'Ann' },
    'GET /todo/2': () =>
      isSignedIn ? todo : new Response('', { status: 401 }),
  })
  const { controller, go, sees, shown, navigate } = await open((ofPage) => {
    const router = createMemoryRouter(createRoutes(ofPage), {
      initialEntries: ['/login'],
    })
    return {
      page: <RouterProvider router={router} />,
      path: () => router.state.location.pathname,
      go: (to) => router.navigate(to),
      navigate: router.navigate,
    }
  })
  await act(() => go('/todo/2'))
  await sees('Write')
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  onTestFinished(() => void vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true))
  const sent = requests.length
  await navigate('/login', { flushSync: true })
  isSignedIn = false
  controller.resetAll()
  await sees('Sign in')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(linesOf(requests).slice(sent)).toEqual([])
  expect(shown.filter((text) => text.includes('failed'))).toEqual([])
})
