import { useController } from '@selfsame/vue'
import { createRouter } from 'vue-router'
import type { RouterHistory } from 'vue-router'
import { todoResource } from './api.js'
import { getMe } from './session.js'
import SignIn from './VueSignIn.vue'
import TodoDetail from './TodoDetail.vue'

export function createAppRouter(history: RouterHistory) {
  const router = createRouter({
    history,
    routes: [
      { path: '/login', component: SignIn },
      {
        path: '/todo/:id',
        component: TodoDetail,
        props: ({ params }) => ({ id: Number(params['id']) }),
        meta: { isPrivate: true },
        beforeEnter: async ({ params }) => {
          const controller = useController()
          const todo = { id: Number(params['id']) }
          // The page refetches what is known, and shows why that failed.
          if (controller.read(todoResource.get, todo).data === undefined)
            await controller
              .fetchIfStale(todoResource.get, todo)
              .catch(() => {})
        },
      },
    ],
  })

  router.beforeEach(async ({ meta }) => {
    if (meta['isPrivate'] !== true) return true
    const controller = useController()
    // Known from before, also without a network: the page refetches it.
    const me =
      controller.read(getMe).data ??
      (await controller.fetchIfStale(getMe).catch(() => undefined))
    return me === undefined ? '/login' : true
  })
  return router
}
