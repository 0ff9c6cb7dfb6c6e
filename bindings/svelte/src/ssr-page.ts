import { Controller } from '@selfsame/core'
import { hydrateFromPage } from '@selfsame/core/hydration'
import { hydrate } from 'svelte'
import type { Component } from 'svelte'
import { contextOf } from './context.js'
import { findCarried } from './server-render.js'

/** The constraint of Svelte. */
// An interface has no index signature, so it does not extend `Record<string, unknown>`.
// eslint-disable-next-line typescript/no-explicit-any
export type AnyProps = Record<string, any>

/** Options of `hydratePage`. */
export interface HydratePageOptions<Props extends AnyProps> {
  /** The element whose content the server rendered. */
  readonly target: Element
  /** The props of the component, the same as on the server. @default {} */
  readonly props?: Props | undefined
  /** The Controller of the page. @default a new one */
  readonly controller?: Controller | undefined
  /** Other contexts for the component. @default none */
  readonly context?: ReadonlyMap<unknown, unknown> | undefined
  /** The id of the script that holds the state. @default 'selfsame' */
  readonly id?: string | undefined
}

/**
 * Hydrates a Controller from the state that a server sent with a page, then hydrates the page: without a request, and
 * showing what the server rendered, errors included. Hooks find the Controller without a `DataProvider`.
 *
 * @returns the Controller of the page, and the result of Svelte's `hydrate`; pass it to Svelte's `unmount`
 * @throws {SelfsameError} `argument-invalid` for a state that is damaged
 * @see specification 4.5, B8
 * @example
 * hydratePage(App, { target: document.getElementById('app'), props: { id: 5 } })
 */
export function hydratePage<Props extends AnyProps, Exports extends AnyProps>(
  component: Component<Props, Exports>,
  options: HydratePageOptions<Props>,
): { readonly controller: Controller; readonly component: Exports } {
  const { target, props, controller = new Controller(), context, id } = options
  hydrateFromPage(controller, { id, document: target.ownerDocument })
  return {
    controller,
    component: hydrate(component, {
      target,
      props: props ?? ({} as Props),
      context: contextOf(controller, context, (thrown) => findCarried(controller, thrown)),
    }),
  }
}
