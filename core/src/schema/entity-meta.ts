/** What is known of a record besides its fields. */
export interface EntityMeta {
  /** When it was received: milliseconds since the epoch. */
  readonly fetchedAt: number
  /** When it stops being Valid: milliseconds since the epoch. */
  readonly expiresAt: number
  /** Its position in the order of requests: what is lower was asked for earlier. */
  readonly order: number
}
