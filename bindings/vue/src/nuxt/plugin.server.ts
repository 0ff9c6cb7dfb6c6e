import { answerOf } from '@selfsame/core/bindings'
import type { PageAnswers } from '@selfsame/core/bindings'
import { fetchUntilLeft, serialize } from '@selfsame/core/hydration'
import { dataPlugin } from '@selfsame/vue'
import { createServerRequest } from '@selfsame/vue/ssr'
import { defineNuxtPlugin, navigateTo, useRequestEvent, useRuntimeConfig } from '#app'
import options from '#build/selfsame-options.mjs'

/** One Controller for each request of a visitor. Its state goes to the page in Nuxt's payload. */
export default defineNuxtPlugin({
  name: 'selfsame',
  enforce: 'pre',
  setup(nuxtApp) {
    const { redirects, ...controllerOptions } = options
    const event = useRequestEvent()
    const left = new AbortController()
    event?.node.res.once('close', () => left.abort())
    // Nuxt answers own addresses itself, with the headers of this visitor. Other hosts get none of them.
    const send: typeof fetch = (target, init) => {
      const isOwn = typeof target === 'string' && /^\/(?![/\\])/.test(target)
      if (event === undefined || !isOwn) return fetch(target, init)
      return event.fetch(target, { ...init, headers: Object.fromEntries(new Headers(init?.headers)) })
    }
    const request = createServerRequest({
      // A page that nobody waits for any more is rendered no further, and its Controller is garbage then.
      keepLength: Infinity,
      ...controllerOptions,
      fetch: fetchUntilLeft(send, left.signal),
    })
    nuxtApp.vueApp.use(dataPlugin, { controller: request.controller })
    nuxtApp.hook('app:rendered', async () => {
      const configured = useRuntimeConfig(event)['selfsame'] as PageAnswers
      const answers = { ...configured, redirects: { ...configured.redirects, ...redirects } }
      const answer = answerOf(request.errors(), answers, nuxtApp.$router.currentRoute.value)
      nuxtApp.payload.selfsame = { state: serialize(request.state()) }
      request.dispose()
      if (answer === undefined || event === undefined) return
      if ('redirect' in answer) await nuxtApp.runWithContext(() => navigateTo(answer.redirect))
      // The application may have set a status itself.
      else if (event.node.res.statusCode === 200) event.node.res.statusCode = answer.status
    })
    return { provide: { controller: request.controller } }
  },
})
