import type { Controller } from '@selfsame/core'
import { outboxOf } from '@selfsame/core/outbox'
import { accountResource, cookieOf, initOf } from '@selfsame/demo-shared/application'
import { inject, nextTick, shallowReadonly, shallowRef, type InjectionKey, type Ref } from 'vue'

interface Session {
  /** The token of the signed-in user; `undefined` if there is none. */
  readonly token: Readonly<Ref<string | undefined>>
  /** Fetches the user of a token, and stores the token. Rejects if no user has it. */
  readonly signIn: (token: string) => Promise<void>
  /** Removes the user, and empties the cache. */
  readonly signOut: () => Promise<void>
}

export const sessionKey: InjectionKey<Session> = Symbol('session')

export function createSession(controller: Controller, initialToken: string | undefined): Session {
  const token = shallowRef(initialToken)
  return {
    token: shallowReadonly(token),
    async signIn(given) {
      await fetchUser(controller, given)
      document.cookie = cookieOf(given)
      outboxOf(controller).checkScope()
      token.value = given
    },
    async signOut() {
      document.cookie = cookieOf(undefined)
      token.value = undefined
      // Waits until the readers of the user are unmounted. Mounted ones would refetch the user, without a token.
      await nextTick()
      controller.resetAll()
    },
  }
}

export function useSession(): Session {
  const session = inject(sessionKey)
  if (session === undefined) throw new Error('The application provides no session.')
  return session
}

/** Fetches the user of a token. */
export async function fetchUser(controller: Controller, token: string): Promise<void> {
  const get = accountResource.get.extend({
    getHeaders: (headers) => ({ ...headers, ...initOf(token)?.headers }),
  })
  await controller.fetch(get)
}
