import type { Context } from 'hono'
import { z } from 'zod'
import { RequestError, type FieldError } from './errors.js'
import { idMessage, keyText } from './fields.js'

const greatestBody = 2 ** 20

/** @throws {RequestError} 400 when the path's `:id` cannot be a key */
export function parseId(c: Context): number {
  const value = c.req.param('id') ?? ''
  const parsed = keyText.safeParse(value)
  if (parsed.success) return parsed.data
  throw new RequestError('bad-request', `The id "${value}" of ${c.req.method} ${c.req.path} ${idMessage}.`)
}

/** @throws {RequestError} 400 that names each wrong or unknown query parameter */
export function parseQuery<Output>(c: Context, query: z.ZodType<Output>): Output {
  const parsed = query.safeParse(c.req.query(), { error: describeIssue })
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.flatMap((issue) => toFieldErrors(issue, query))
  throw new RequestError(
    'bad-request',
    `The query of ${c.req.method} ${c.req.path} is wrong: ${list(fields)}.`,
    fields,
  )
}

/** @throws {RequestError} 413 when the body is too large, 400 when it is not JSON, 422 that names each wrong or unknown field */
export async function parseBody<Output>(c: Context, body: z.ZodType<Output>): Promise<Output> {
  return parseInput(`The body of ${c.req.method} ${c.req.path}`, body, parseJson(c, await readText(c)))
}

/**
 * @param what - begins the message, as in "The body of POST /todo is invalid: …"
 * @throws {RequestError} 422 that names each wrong or unknown field
 */
export function parseInput<Output>(what: string, schema: z.ZodType<Output>, input: unknown): Output {
  const parsed = schema.safeParse(input, { error: describeIssue })
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.flatMap((issue) => toFieldErrors(issue, schema))
  throw new RequestError('invalid', `${what} is invalid: ${list(fields)}.`, fields)
}

/** @throws {RequestError} 409 when the id in the body differs from the id in the path */
export function requireSameId(c: Context, pathId: number, bodyId: unknown): void {
  if (bodyId === undefined || String(bodyId) === String(pathId)) return
  throw new RequestError(
    'conflict',
    `The body of ${c.req.method} ${c.req.path} has the id ${JSON.stringify(bodyId)}. Send the id of the path, or none.`,
    [{ field: 'id', message: `differs from the path's ${pathId}` }],
  )
}

async function readText(c: Context): Promise<string> {
  const source = await c.req.text()
  if (source.length <= greatestBody) return source
  throw new RequestError('too-large', `The body of ${c.req.method} ${c.req.path} is longer than 1 MiB.`)
}

function parseJson(c: Context, source: string): unknown {
  try {
    return JSON.parse(source)
  } catch (error) {
    const reason = source === '' ? 'It is empty' : error instanceof Error ? error.message : String(error)
    throw new RequestError('bad-request', `The body of ${c.req.method} ${c.req.path} is not JSON: ${reason}.`)
  }
}

// A message given to a schema outranks this one, except where that uses `unlessMissing`.
function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'is required'
  return undefined
}

function toFieldErrors(issue: z.core.$ZodIssue, schema: z.ZodType): FieldError[] {
  if (issue.code !== 'unrecognized_keys') return [{ field: issue.path.join('.'), message: issue.message }]
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape).join(', ') : ''
  return issue.keys.map((field) => ({ field, message: `is not one of ${known}` }))
}

function list(fields: readonly FieldError[]): string {
  return fields.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)).join('; ')
}
