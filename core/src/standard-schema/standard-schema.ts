import { placeOf } from '../errors.js'
import type { StandardIssue } from '../schema/validator.js'

/**
 * A schema of any library that follows the Standard Schema (standardschema.dev): zod, valibot, arktype and others.
 *
 * @see specification 2.3, Standard Schema
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    /** The library. */
    readonly vendor: string
    /** @returns the value that the schema makes, or `issues` if the given value is not valid */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    /** For the compiler; missing at run time. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

/** What a schema returns for a value. */
export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] }

/** What a schema takes. */
export type InputOf<S extends StandardSchema> = NonNullable<S['~standard']['types']>['input']

/** What a schema makes. */
export type OutputOf<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output']

/** The names on the way to an issue. */
export const pathOf = ({ path = [] }: StandardIssue): PropertyKey[] =>
  // The path of arktype is an array of its own kind, which `map` would make another of.
  Array.from(path, (part) => (typeof part === 'object' ? part.key : part))

/** The place of an issue, as messages show it: `sections[0].author`. */
export const placeOfIssue = (path: readonly PropertyKey[]): string =>
  placeOf(path.map((part) => (typeof part === 'symbol' ? String(part) : part)))
