import { madeOfNothing } from './adapter.js'
import type { SchemaAdapter, Shape } from './adapter.js'
import type { StandardSchema } from './standard-schema.js'

/** What is read of a schema of valibot 1. */
interface ValibotSchema extends StandardSchema {
  readonly type: string
  readonly wrapped?: ValibotSchema
  readonly default?: unknown
  readonly fallback?: unknown
  readonly item?: ValibotSchema
  readonly value?: unknown
  readonly entries?: Readonly<Record<string, ValibotSchema>>
  readonly getter?: (input: undefined) => ValibotSchema
  readonly options?: readonly unknown[]
  readonly items?: readonly ValibotSchema[]
  readonly rest?: unknown
  readonly pipe?: readonly { readonly kind: string; readonly type: string }[]
}

/** Looks into the schemas of valibot. */
export const valibotAdapter: SchemaAdapter = {
  vendor: 'valibot',
  shapeOf: (schema) => shapeOf(schema as ValibotSchema),
  converts: (schema) => converts(schema as ValibotSchema, new Set()),
}

function shapeOf(schema: ValibotSchema): Shape {
  const { type, wrapped, item, value, entries, getter } = schema
  if (wrapped) return shapeOf(wrapped)
  if (type === 'lazy' && getter) return shapeOf(getter(undefined))
  if (changesKind(schema)) return { kind: 'other' }
  if (type === 'array' && item) return { kind: 'list', member: item }
  if (type === 'record' && isSchema(value)) return { kind: 'map', member: value }
  // object, strict_object, loose_object, object_with_rest
  if (entries === undefined || !type.includes('object')) return { kind: 'other' }
  const fields = Object.entries(entries).map(([name, field]) => {
    const hasDefault = field.default !== undefined || field.fallback !== undefined
    return [name, { schema: field, getDefault: hasDefault ? () => madeOfNothing(field) : undefined }] as const
  })
  return { kind: 'object', fields: Object.fromEntries(fields) }
}

/** Whether what comes out of a pipe may be of another kind than what goes in. `readonly` is for the compiler only. */
const changesKind = ({ pipe = [] }: ValibotSchema) =>
  pipe
    .slice(1)
    .some(({ kind, type }) => kind === 'schema' || (kind === 'transformation' && type !== 'readonly'))

function converts(schema: ValibotSchema, seen: Set<ValibotSchema>): boolean {
  if (seen.has(schema)) return false
  seen.add(schema)
  if (changesKind(schema) || schema.fallback !== undefined) return true
  const { type, wrapped, item, value, entries = {}, getter, options = [], items = [], rest } = schema
  const inner = [wrapped, item, value, rest, ...options, ...items, ...Object.values(entries)]
  if (type === 'lazy') inner.push(getter?.(undefined))
  // A default inside an object fills what is missing in it.
  if (Object.values(entries).some((field) => field.default !== undefined)) return true
  return inner.some((child) => isSchema(child) && converts(child, seen))
}

const isSchema = (value: unknown): value is ValibotSchema =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'schema'
