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
          const todo = useController().fetchIfStale(todoResource.get, {
            id: Number(params['id']),
          })
          // The page shows why it failed.
          await todo.catch(() => {})
        },
      },
    ],
  })

  router.beforeEach(async ({ meta }) => {
    if (meta['isPrivate'] !== true) return true
    const me = await useController()
      .fetchIfStale(getMe)
      .catch(() => undefined)
    return me === undefined ? '/login' : true
  })
  return router
}
