import { addPlugin, addTemplate, createResolver, defineNuxtModule, findPath } from '@nuxt/kit'
import type { ControllerOptions } from '@selfsame/core'
import type { PageAnswers, Redirects } from '@selfsame/core/bindings'

/** Options of the Nuxt module, under `selfsame` in the configuration of Nuxt. */
export interface NuxtDataOptions {
  /**
   * The page answers with the status of the first failed call whose status is in this list. A call that cannot be made, as its id
   * is `Number('abc')`, counts as 404. Other failed calls leave it at 200. Applies to pages that the server renders.
   *
   * @default [401, 403, 404, 410]
   */
  readonly statuses?: readonly number[] | undefined
  /**
   * Paths to redirect to, by the status of a failed read: `{ 401: '/login' }`. Applies to pages that the server renders, and
   * to reads in the browser. The page with that path itself stays. After a 401 the session is over: once the page is left, the
   * cache is reset. Functions have their place in the module `options`, because Nuxt passes its configuration on as text.
   *
   * @default none
   */
  readonly redirects?: { readonly [status: number]: string } | undefined
  /**
   * The module whose default export is a `NuxtControllerOptions`: it has the options of each Controller, such as `middleware`.
   * The server and the page import it.
   *
   * @default '~/selfsame.options', if there is such a file
   */
  readonly options?: string | undefined
}

/** The default export of `app/selfsame.options.ts`: the options of each Controller, all but `fetch`, and those of redirects. */
export interface NuxtControllerOptions extends Omit<ControllerOptions, 'fetch'> {
  /**
   * Paths to redirect to, by the status of a failed read, as the option of the module, which they precede. A function is called
   * with the address that was opened: its path, query and hash.
   *
   * @default none
   * @example { 401: (path) => '/login?to=' + encodeURIComponent(path) }
   */
  readonly redirects?: Redirects | undefined
}

/**
 * The Nuxt module: `modules: ['@selfsame/vue/nuxt']`. On the server each request of a visitor has its own Controller,
 * whose calls of the application's own routes carry the visitor's headers. Its state goes to the page in Nuxt's payload.
 * `useNuxtApp().$controller` is the Controller. A read that fails in the browser outside of every `AsyncBoundary` shows the
 * error page of Nuxt, as it does on the server.
 *
 * @throws {Error} if the option `options` names a module that does not exist, or `redirects` has a function
 * @see specification 4.5, Hooks on a server
 */
export default defineNuxtModule<NuxtDataOptions>({
  meta: { name: '@selfsame/vue', configKey: 'selfsame', compatibility: { nuxt: '>=3.17.0' } },
  setup({ statuses, redirects = {}, options }, nuxt) {
    if (Object.values(redirects).some((redirect) => typeof redirect !== 'string'))
      throw new Error(`The option "redirects" of the Nuxt module @selfsame/vue has a value that is no path.
  Nuxt passes its configuration on as text. Move a function to the member "redirects" of the default export of app/selfsame.options.ts.`)
    const { resolve } = createResolver(import.meta.url)
    // Nuxt passes `undefined` on as an empty text.
    const answers: PageAnswers = { ...(statuses && { statuses }), redirects }
    nuxt.options.runtimeConfig['selfsame'] = answers
    nuxt.options.runtimeConfig.public['selfsame'] = { redirects }
    nuxt.options.build.transpile.push('@selfsame/vue')
    // Of a package in `node_modules`, such as our plugins, Vite bundles only those imports that it has found in the application
    // before. So the page of `nuxt dev` would get some entries of the core as they are, and others bundled: two copies.
    const { optimizeDeps = {} } = nuxt.options.vite
    nuxt.options.vite.optimizeDeps = {
      ...optimizeDeps,
      exclude: [...(optimizeDeps.exclude ?? []), '@selfsame/core', '@selfsame/vue'],
    }
    addTemplate({
      filename: 'selfsame-options.mjs',
      async getContents() {
        const path = await findPath(options ?? '~/selfsame.options')
        if (path !== null) return `export { default } from ${JSON.stringify(path)}\n`
        if (options === undefined) return 'export default {}\n'
        throw new Error(`The option "options" of the Nuxt module @selfsame/vue names ${options}, which does not exist.
  Create that file, or name another one: its default export has the options of the Controller.`)
      },
    })
    addPlugin({ src: resolve('./nuxt/plugin.server.js'), mode: 'server' })
    addPlugin({ src: resolve('./nuxt/plugin.client.js'), mode: 'client' })
  },
})
