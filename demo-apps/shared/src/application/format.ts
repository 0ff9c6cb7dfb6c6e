// One language and time zone, so that the page of a server matches that of any browser.

const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
const numbers = new Intl.NumberFormat('en')

/** As in `Mar 1, 2026`. */
export function formatDate(date: Date): string {
  return dates.format(date)
}

/** As in `1 view` and `1,234 views`. */
export function formatCount(count: number, noun: string): string {
  return `${numbers.format(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** As in `today`, `tomorrow` and `in 5 days`. */
export function formatDaysAway(days: number): string {
  return days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`
}
