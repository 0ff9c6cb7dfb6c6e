import { Controller } from '@selfsame/core'
import { development, errors } from '@selfsame/core/bindings'
import { defineComponent, onUnmounted, provide, watch } from 'vue'
import type { App, PropType, SlotsType, VNodeChild } from 'vue'
import { controllerKey } from './context.js'

/**
 * Provides a Controller to the components inside it.
 *
 * `controller` is read once; to replace it, change the `key` of the provider. Without one, the provider creates a
 * Controller and disposes of it when it unmounts. On a server, create one for each request.
 *
 * @see specification 4.5, Bindings
 * @example
 * <DataProvider :controller="controller"><App /></DataProvider>
 */
export const DataProvider = defineComponent({
  name: 'DataProvider',
  props: {
    /** The Controller for everything inside. @default a new one */
    controller: { type: Object as PropType<Controller>, default: undefined },
  },
  slots: Object as SlotsType<{ default?: () => VNodeChild }>,
  setup(props, { slots }) {
    const controller = props.controller ?? new Controller()
    if (props.controller === undefined) onUnmounted(() => controller.dispose())
    provide(controllerKey, controller)
    if (development)
      watch(
        () => props.controller,
        () => errors.warn(errors.readOnce('The prop `controller` of <DataProvider>', remedy)),
        { once: true },
      )
    return () => slots.default?.()
  },
})

const remedy =
  'Create the Controller once, in a module or in setup(). To replace it, change the `key` of the provider.'

/**
 * Provides a Controller to every component, store and router guard of an app.
 *
 * @param options.controller - the Controller. Default: a new one, disposed of when the app unmounts
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
