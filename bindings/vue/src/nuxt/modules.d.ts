// The parts of Nuxt that the entry `nuxt` uses. Nuxt is not installed here: the fixture `conformance/fixtures/nuxt` builds and runs the
// entry with the real one.

declare module '@nuxt/kit' {
  interface NuxtOfModule {
    readonly options: {
      readonly runtimeConfig: { [name: string]: unknown; readonly public: { [name: string]: unknown } }
      readonly build: { readonly transpile: unknown[] }
      readonly vite: { optimizeDeps?: { readonly exclude?: readonly string[] } }
    }
  }

  interface ModuleDefinition<Options> {
    readonly meta: {
      readonly name: string
      readonly configKey: string
      readonly compatibility: { readonly nuxt: string }
    }
    setup(options: Options, nuxt: NuxtOfModule): void
  }

  export function defineNuxtModule<Options>(
    definition: ModuleDefinition<Options>,
  ): (options: Options, nuxt: unknown) => unknown
  export function createResolver(base: string): { resolve(path: string): string }
  export function addTemplate(template: { readonly filename: string; getContents(): Promise<string> }): void
  export function findPath(path: string): Promise<string | null>
  export function addPlugin(plugin: { readonly src: string; readonly mode: 'client' | 'server' }): void
}

declare module '#app' {
  import type { App } from 'vue'

  interface NuxtAppOfPlugin {
    readonly vueApp: App
    readonly payload: { selfsame?: { state: string } | undefined }
    hook(name: 'app:rendered', listener: () => Promise<void>): void
    hook(name: 'vue:error', listener: (error: unknown, component: unknown, info: string) => void): void
    runWithContext(run: () => unknown): unknown
    readonly $router: {
      readonly currentRoute: { readonly value: { readonly path: string; readonly fullPath: string } }
    }
  }

  interface ResponseOfEvent {
    statusCode: number
    once(event: 'close', listener: () => void): void
  }

  interface RequestEvent {
    readonly node: { readonly res: ResponseOfEvent }
    fetch(address: string, init: RequestInit): Promise<Response>
  }

  /** Nuxt infers the type of `useNuxtApp().$controller` from it. */
  export interface Plugin<Injections extends object> {
    (nuxtApp: NuxtAppOfPlugin): { readonly provide: Injections }
  }

  export function defineNuxtPlugin<Injections extends object>(plugin: {
    readonly name: string
    readonly enforce: 'pre'
    setup(nuxtApp: NuxtAppOfPlugin): { readonly provide: Injections }
  }): Plugin<Injections>
  export function useRequestEvent(): RequestEvent | undefined
  export function navigateTo(path: string): unknown
  export function showError(error: Error): unknown
  export function useRuntimeConfig(event?: RequestEvent): {
    readonly [name: string]: unknown
    readonly public: { readonly [name: string]: unknown }
  }
}

declare module '#build/selfsame-options.mjs' {
  import type { NuxtControllerOptions } from '@selfsame/vue/nuxt'

  const options: NuxtControllerOptions
  export default options
}
