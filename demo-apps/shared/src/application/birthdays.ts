import { Query, schema } from '@selfsame/core'
import { Birthday } from '../records.js'

const dayMs = 86_400_000

/** A user and the date of the next birthday. */
export interface UpcomingBirthday {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly image: string
  readonly date: Date
  /** Whole days until then; 0 is today. */
  readonly daysAway: number
}

/**
 * The birthdays of the next days, joined with users that another call has fetched. Changing the number of days sends
 * no request.
 *
 * @example useQuery(birthdaysWithin, { days: 7, from: today() })
 */
export const birthdaysWithin = new Query(
  new schema.All(Birthday),
  (birthdays, { days, from }: { readonly days: number; readonly from: string }): UpcomingBirthday[] =>
    birthdays
      .flatMap(({ id, image, date, user }) => {
        const daysAway = Math.round((date.getTime() - Date.parse(from)) / dayMs)
        if (id === undefined || user === undefined || daysAway < 0 || daysAway > days) return []
        return { id, name: user.name, email: user.email, image, date, daysAway }
      })
      .toSorted((a, b) => a.daysAway - b.daysAway || a.name.localeCompare(b.name)),
)

/** The date in UTC, like that of the server: `2026-03-01`. */
export function today(): string {
  return new Date().toISOString().slice(0, 10)
}
