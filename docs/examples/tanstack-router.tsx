import type { Controller } from '@selfsame/core'
import { AsyncBoundary } from '@selfsame/react'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  redirect,
} from '@tanstack/react-router'
import type { RouterHistory } from '@tanstack/react-router'
import { todoResource } from './api.js'
import { TodoTitle } from './react-router-page.js'
import { Failed } from './TodoFailed.js'
import { getMe } from './session.js'

const rootRoute = createRootRouteWithContext<{ controller: Controller }>()()

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  component: () => <h1>Sign in</h1>,
})

const todoRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/todo/$id',
  params: { parse: ({ id }) => ({ id: Number(id) }) },
  beforeLoad: async ({ context: { controller } }) => {
    // Known from before, also without a network: the page refetches it.
    const me =
      controller.read(getMe).data ??
      (await controller.fetchIfStale(getMe).catch(() => undefined))
    if (me === undefined) throw redirect({ to: '/login' })
  },
  loader: async ({
    abortController: { signal },
    context: { controller },
    params: { id },
  }) => {
    // The page shows why it failed.
    await controller
      .fetchIfStale(todoResource.get.extend({ signal }), { id })
      .catch(() => {})
  },
  component: TodoRoute,
})

function TodoRoute() {
  const { id } = todoRoute.useParams()
  return (
    <AsyncBoundary fallback="Loading" errorFallback={Failed}>
      <TodoTitle id={id} />
    </AsyncBoundary>
  )
}

export function createAppRouter(
  controller: Controller,
  history: RouterHistory,
) {
  return createRouter({
    routeTree: rootRoute.addChildren([loginRoute, todoRoute]),
    context: { controller },
    history,
    defaultPreload: 'intent',
    // The cache knows what is Stale, so ask it each time.
    defaultPreloadStaleTime: 0,
  })
}
