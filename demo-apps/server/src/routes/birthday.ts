import { Hono, type Context } from 'hono'
import { z } from 'zod'
import type { Database } from '../database.js'
import type { Row } from '../table.js'
import { parseQuery } from '../validation.js'
import { absoluteImage } from './image.js'

const query = z.strictObject({ date: z.iso.date('must be a date such as 2026-03-01').optional() })

/** Birthdays near `?date=`, or near today in UTC; a record's `date` is the next time it is celebrated. */
export function birthdayRoutes(database: Database): Hono {
  const routes = new Hono({ strict: false })

  // Older clients send POST for this read.
  routes.on(['GET', 'POST'], '/upcoming', async (c) => {
    const { date = today() } = parseQuery(c, query)
    const { rows } = await database.query<Row & { daysAway: number }>(upcoming, [date])
    return c.json({
      withinSevenDays: rows.filter(({ daysAway }) => daysAway <= 7).map((row) => toWire(row, c)),
      withinThirtyDays: rows.map((row) => toWire(row, c)),
    })
  })

  return routes
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}

const upcoming = `
  select id, name, image, source, "user", to_char(next, 'YYYY-MM-DD') as date, next - $1::date as "daysAway"
  from (
    select *, case when this_year < $1::date then (this_year + interval '1 year')::date else this_year end as next
    from (select *, make_date(extract(year from $1::date)::integer, month, day) as this_year from birthdays) dated
  ) celebrated
  where next - $1::date <= 30
  order by next, id
`

function toWire({ id, name, image, source, user, date }: Row, c: Context): Row {
  return { id: String(id), name, image: absoluteImage(image, c), source, user, date }
}
