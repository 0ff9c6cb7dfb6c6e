/** How a description is mocked. */
export interface MockSettings {
  /** The beginning of the addresses that are answered. @default that of the first server of the description */
  readonly urlPrefix?: string
  /** Another seed gives other data; the same seed the same. @default 1 */
  readonly seed?: number
  /** How many records a list has at first. @default 3 */
  readonly count?: number
  /** Records by the name of their schema, in place of those that are made up: `{ User: [{ id: 1, name: 'Maja' }] }`. @default none */
  readonly records?: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
}
