/**
 * The panel of `@selfsame/devtools`, as a component. An application that does not import this ships none of it.
 *
 * @packageDocumentation
 */
import { devtools } from '@selfsame/devtools'
import { defineComponent, onScopeDispose } from 'vue'
import type { PropType } from 'vue'
import { useController } from './use-controller.js'

/**
 * Records the Controller of the nearest provider, and puts the button on the page that opens its panel. It renders nothing.
 * The props are the options of `devtools`, and are read once. Put it before the components that read, so that it records
 * their first requests.
 *
 * @example <DataProvider><SelfsameDevtools v-if="isDevelopment" /><App /></DataProvider>
 */
export const SelfsameDevtools = defineComponent({
  name: 'SelfsameDevtools',
  props: {
    name: { type: String, default: undefined },
    isOpen: { type: Boolean as PropType<boolean | undefined>, default: undefined },
    hasButton: { type: Boolean, default: true },
    maxEntries: { type: Number, default: undefined },
    maxCharacters: { type: Number, default: undefined },
  },
  setup(props) {
    onScopeDispose(devtools(useController(), { ...props }))
    return () => null
  },
})
