import type { ReaderOptions } from '@selfsame/core'

/** Gives an endpoint options of one reader. */
export type GiveOptions<Endpoint, Options> = (endpoint: Endpoint, options: Options) => Endpoint

/**
 * Returns the ways to give an endpoint options beside others.
 *
 * @param give - `withOptions` of a binding, whose options may be reactive
 */
export function optionPlaces<Endpoint, Options extends object>(give: GiveOptions<Endpoint, Options>) {
  const giveOthers = give as GiveOptions<Endpoint, object> as GiveOptions<Endpoint, ReaderOptions>
  const places: Readonly<Record<string, GiveOptions<Endpoint, Options>>> = {
    alone: give,
    'inside of another': (endpoint, options) => giveOthers(give(endpoint, options), { ssr: false }),
    'in the place of an earlier one': (endpoint, options) =>
      give(giveOthers(endpoint, { name: 'earlier', interval: 500 }), { interval: undefined, ...options }),
  }
  return Object.entries(places).map(([place, giveThere]) => ({ place, give: giveThere }))
}
