/**
 * The panel of `@selfsame/devtools`, as a component. An application that does not import this ships none of it.
 *
 * @packageDocumentation
 */
export { default as SelfsameDevtools } from './SelfsameDevtools.svelte'
