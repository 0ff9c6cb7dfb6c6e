import { madeOfNothing } from './adapter.js'
import type { SchemaAdapter, Shape } from './adapter.js'
import type { StandardSchema } from './standard-schema.js'

/** What is read of a schema of zod 4, and of zod/mini. */
interface ZodSchema extends StandardSchema {
  readonly _zod: {
    readonly def: {
      readonly type: string
      readonly coerce?: boolean
      readonly innerType?: ZodSchema
      readonly element?: ZodSchema
      readonly valueType?: ZodSchema
      readonly shape?: Readonly<Record<string, ZodSchema>>
      readonly getter?: () => ZodSchema
      readonly options?: readonly ZodSchema[]
      readonly items?: readonly ZodSchema[]
      readonly rest?: ZodSchema | null
      readonly left?: ZodSchema
      readonly right?: ZodSchema
      readonly checks?: readonly { readonly _zod: { readonly def: { readonly check: string } } }[]
    }
  }
}

const wrappers = /^(optional|nullable|default|prefault|nonoptional|readonly|catch)$/

/** Looks into the schemas of zod 4. */
export const zodAdapter: SchemaAdapter = {
  vendor: 'zod',
  shapeOf: (schema) => shapeOf(schema as ZodSchema),
  converts: (schema) => converts(schema as ZodSchema, new Set()),
}

const defOf = ({ _zod: { def } }: ZodSchema) => def

function shapeOf(schema: ZodSchema): Shape {
  const def = defOf(schema)
  if (def.innerType && wrappers.test(def.type)) return shapeOf(def.innerType)
  if (def.type === 'lazy' && def.getter) return shapeOf(def.getter())
  if (def.type === 'array' && def.element) return { kind: 'list', member: def.element }
  if (def.type === 'record' && def.valueType) return { kind: 'map', member: def.valueType }
  if (def.type !== 'object' || def.shape === undefined) return { kind: 'other' }
  const fields = Object.entries(def.shape).map(([name, field]) => {
    const hasDefault = /^(default|prefault|catch)$/.test(defOf(field).type)
    return [name, { schema: field, getDefault: hasDefault ? () => madeOfNothing(field) : undefined }] as const
  })
  return { kind: 'object', fields: Object.fromEntries(fields) }
}

function converts(schema: ZodSchema, seen: Set<ZodSchema>): boolean {
  if (seen.has(schema)) return false
  seen.add(schema)
  const def = defOf(schema)
  if (/^(pipe|transform|catch|success)$/.test(def.type) || def.coerce === true) return true
  if (def.checks?.some(({ _zod: check }) => check.def.check === 'overwrite')) return true
  const inner = [
    ...[def.innerType, def.element, def.valueType, def.rest, def.left, def.right],
    ...Object.values(def.shape ?? {}),
    ...(def.options ?? []),
    ...(def.items ?? []),
    def.type === 'lazy' ? def.getter?.() : undefined,
  ]
  // A default inside an object fills what is missing in it.
  const fills = Object.values(def.shape ?? {}).some((field) => /^(default|prefault)$/.test(defOf(field).type))
  return fills || inner.some((child) => child != null && converts(child, seen))
}
