import type { StandardSchema } from './standard-schema.js'

/** A field of an object. */
export interface FieldShape {
  readonly schema: StandardSchema
  /** Returns the value of a field that is missing. `undefined` if there is no default. */
  readonly getDefault?: (() => unknown) | undefined
}

/** What a schema describes, without `null`, `undefined` and defaults around it. */
export type Shape =
  | { readonly kind: 'object'; readonly fields: Readonly<Record<string, FieldShape>> }
  /** A list, or an object with any keys; `member` is what each value is. */
  | { readonly kind: 'list' | 'map'; readonly member: StandardSchema }
  | { readonly kind: 'other' }

/** Looks into the schemas of one library, which the Standard Schema itself does not allow. */
export interface SchemaAdapter {
  /** The name that the library gives itself. */
  readonly vendor: string
  shapeOf(schema: StandardSchema): Shape
  /** `true` if the schema makes another value than it takes: it parses, trims, or replaces what is wrong. */
  converts(schema: StandardSchema): boolean
}

/** The value that a schema makes of nothing; `undefined` if it makes none. */
export function madeOfNothing(schema: StandardSchema): unknown {
  const result = schema['~standard'].validate(undefined)
  return result instanceof Promise || result.issues !== undefined ? undefined : result.value
}
