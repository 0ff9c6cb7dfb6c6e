import type { Controller } from '@selfsame/core'
import { redirect } from 'react-router'
import type { RouteObject } from 'react-router'
import { todoResource } from './api.js'
import { TodoPage } from './react-router-page.js'
import { getMe } from './session.js'

export function createRoutes(controller: Controller): RouteObject[] {
  return [
    { path: '/login', element: <h1>Sign in</h1> },
    {
      path: '/todo/:id',
      element: <TodoPage />,
      loader: async ({ params, request }) => {
        // Known from before, also without a network: the page refetches it.
        const me =
          controller.read(getMe).data ??
          (await controller.fetchIfStale(getMe).catch(() => undefined))
        if (me === undefined) return redirect('/login')
        const getTodo = todoResource.get.extend({ signal: request.signal })
        // The page shows why it failed.
        await controller
          .fetchIfStale(getTodo, { id: Number(params['id']) })
          .catch(() => {})
        return null
      },
    },
  ]
}
