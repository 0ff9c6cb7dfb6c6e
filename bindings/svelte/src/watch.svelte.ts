import { Observer } from '@selfsame/core'
import type { Controller, Facet } from '@selfsame/core'
import type { Call } from './call.svelte.js'

/** The call that was looked at last. */
interface Watched<Data, Shown> {
  readonly observer: Observer<Data>
  readonly shown: Shown
}

/**
 * Follows a call whose endpoint and arguments may change: another call has another Observer, which is the moment
 * at which the clock is looked at. Equal arguments are one call, however often they are made anew.
 */
export class Watch<Data, Shown> {
  readonly #controller: Controller
  readonly #call: () => Call
  readonly #show: (observer: Observer<Data>) => Shown
  readonly #facets: readonly Facet[] | undefined
  #watched: Watched<Data, Shown> | undefined
  readonly #current = $derived.by(() => this.peek())

  /**
   * @param show - makes what is kept beside each Observer
   * @param facets - what is shown of a call, where that is not its data and errors
   */
  constructor(
    controller: Controller,
    call: () => Call,
    show: (observer: Observer<Data>) => Shown,
    facets?: readonly Facet[],
  ) {
    this.#controller = controller
    this.#call = call
    this.#show = show
    this.#facets = facets
  }

  /** What belongs to the call; effects that read it run again when there is another call. */
  get current(): Shown {
    return this.#current
  }

  /** The same, without a `$derived`, which ends with the component that it was made in. */
  peek(): Shown {
    const { endpoint, args } = this.#call()
    const last = this.#watched
    if (last?.observer.isOf(endpoint, args) === true) return last.shown
    const observer = new Observer<Data>(this.#controller, endpoint, args, this.#facets)
    const shown = this.#show(observer)
    this.#watched = { observer, shown }
    return shown
  }
}
