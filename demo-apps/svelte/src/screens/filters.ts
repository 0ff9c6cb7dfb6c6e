/** The filters of the list of articles; unused ones are missing. */
export interface Filters {
  /** Text that the title contains. */
  readonly q?: string
  /** The id of a user. */
  readonly author?: number
}
