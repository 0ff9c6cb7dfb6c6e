import { addPlugin, createResolver, defineNuxtModule } from '@nuxt/kit'
import type { NuxtAnswers } from './nuxt/answer.js'
import { defaultStatuses } from './nuxt/answer.js'

/** Options of the Nuxt module, under `selfsame` in the configuration of Nuxt. */
export interface NuxtDataOptions {
  /**
   * The page answers with the status of the first failed call whose status is in this list. Other failed calls leave it
   * at 200. Applies to pages that the server renders.
   *
   * @default [401, 403, 404, 410]
   */
  readonly statuses?: readonly number[] | undefined
  /**
   * Paths to which the server redirects, by the status of a failed call: `{ 401: '/login' }`.
   *
   * @default none
   */
  readonly redirects?: { readonly [status: number]: string } | undefined
}

/**
 * The Nuxt module: `modules: ['@selfsame/vue/nuxt']`. On the server each request of a visitor has its own Controller,
 * whose calls of the application's own routes carry the visitor's headers. Its state goes to the page in Nuxt's payload.
 * `useNuxtApp().$controller` is the Controller.
 *
 * @see specification 4.5, Hooks on a server
 */
export default defineNuxtModule<NuxtDataOptions>({
  meta: { name: '@selfsame/vue', configKey: 'selfsame', compatibility: { nuxt: '>=3.17.0' } },
  setup({ statuses = defaultStatuses, redirects = {} }, nuxt) {
    const { resolve } = createResolver(import.meta.url)
    const answers: NuxtAnswers = { statuses, redirects }
    nuxt.options.runtimeConfig['selfsame'] = answers
    nuxt.options.build.transpile.push('@selfsame/vue')
    addPlugin({ src: resolve('./nuxt/plugin.server.js'), mode: 'server' })
    addPlugin({ src: resolve('./nuxt/plugin.client.js'), mode: 'client' })
  },
})
