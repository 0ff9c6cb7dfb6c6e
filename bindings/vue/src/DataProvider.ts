import { Controller } from '@selfsame/core'
import { defineComponent, onUnmounted, provide } from 'vue'
import type { App, PropType, SlotsType, VNodeChild } from 'vue'
import { controllerKey } from './context.js'

/**
 * Gives the components inside of it a Controller.
 *
 * `controller` is read once; give the provider another `key` to change it. Without one it makes a Controller of its
 * own, which ends with it. A server makes one for each request.
 *
 * @see specification 4.5, Bindings
 * @example
 * <DataProvider :controller="controller"><App /></DataProvider>
 */
export const DataProvider = defineComponent({
  name: 'DataProvider',
  props: {
    /** The cache that everything inside reads and writes. @default a new one */
    controller: { type: Object as PropType<Controller>, default: undefined },
  },
  slots: Object as SlotsType<{ default?: () => VNodeChild }>,
  setup(props, { slots }) {
    const controller = props.controller ?? new Controller()
    if (props.controller === undefined) onUnmounted(() => controller.dispose())
    provide(controllerKey, controller)
    return () => slots.default?.()
  },
})

/**
 * Gives every component of an app, its stores and its router guards a Controller.
 *
 * @param options.controller - the cache. Default: a new one, which ends with the app
 * @see specification 4.5, Bindings
 * @example
 * createApp(App).use(dataPlugin, { controller }).mount('#app')
 */
export const dataPlugin = {
  install(app: App, options: { readonly controller?: Controller | undefined } = {}): void {
    const controller = options.controller ?? new Controller()
    if (options.controller === undefined) app.onUnmount(() => controller.dispose())
    app.provide(controllerKey, controller)
  },
}
