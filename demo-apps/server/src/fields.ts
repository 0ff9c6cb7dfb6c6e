import { z } from 'zod'

const greatestId = 2_147_483_647 // Postgres' integer
const nulMessage = 'must not contain a NUL character'
export const idMessage = `must be a whole number from 1 to ${greatestId}`

/** A record's key in a body. */
export const key = z
  .int({ error: unlessMissing(idMessage) })
  .min(1, idMessage)
  .max(greatestId, idMessage)

/** A record's key in a path or query. */
export const keyText = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, idMessage)
  .transform(Number)
  .pipe(z.number().max(greatestId, idMessage))

/** The cursor or page of a list; `''`, which clients send for a first page, equals none. */
export const pageToken = z
  .string()
  .transform((value) => (value === '' ? undefined : value))
  .pipe(keyText.optional())
  .optional()

/** The `id` a client may send back with a record; `requireSameId` compares it with the path. */
export const ownId = z.union([z.number(), z.string()]).optional()

/** Text that Postgres can store: no NUL character. */
export function text(maxLength: number) {
  return z.string().max(maxLength).refine(isStorable, nulMessage)
}

export const email = z.email({ error: unlessMissing('must be an email address') }).max(254)

export const httpUrl = z
  .url({ protocol: /^https?$/, error: unlessMissing('must be an http or https address') })
  .max(2_000)
  .refine(isStorable, nulMessage)

export const booleanText = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((value) => value === 'true')

/** The query parameter `limit`: the number of records that a list returns. */
export function limitText(defaultLimit: number) {
  return count(1, 10_000)
    .optional()
    .transform((value) => value ?? defaultLimit)
}

/** `limit` and `offset`, which every plain list takes. */
export const listQuery = {
  limit: limitText(100),
  offset: count(0, 999_999_999)
    .optional()
    .transform((value) => value ?? 0),
}

function count(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .pipe(z.number().min(least, message).max(most, message))
}

function isStorable(value: string): boolean {
  return !value.includes('\0')
}

/** Leaves a missing value to be reported as such. */
function unlessMissing(message: string) {
  return (issue: { readonly input?: unknown }) => (issue.input === undefined ? undefined : message)
}
