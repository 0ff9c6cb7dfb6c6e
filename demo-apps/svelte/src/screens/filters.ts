/** What the list of articles is filtered by; only what is there. */
export interface Filters {
  /** A text of the title. */
  readonly q?: string
  /** The id of a user. */
  readonly author?: number
}
