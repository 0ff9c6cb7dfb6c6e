import { development } from '#development'
import * as errors from '../errors.js'
import { placeOf } from '../errors.js'

/**
 * A Standard Schema validator (standardschema.dev), as zod, valibot and arktype make them. Only its issues are used; its
 * output is not stored.
 */
export interface StandardValidator {
  readonly '~standard': {
    /** @returns `issues` if the value is not valid */
    readonly validate: (value: unknown) => StandardVerdict | Promise<StandardVerdict>
  }
}

/** The result of a Standard Schema validator. */
export interface StandardVerdict {
  readonly issues?: readonly StandardIssue[] | undefined
}

/** An issue: what is wrong with a value, and its place in the value. */
export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/**
 * Checks a value: a function that returns a reason (any truthy value) to refuse it, or a Standard Schema validator. It must be
 * synchronous.
 */
export type Validator =
  | StandardValidator
  // A class may narrow the parameter to its own fields, which a function type would refuse.
  // eslint-disable-next-line typescript/no-explicit-any
  | ((value: any) => unknown)

/**
 * Returns the reason why a validator refuses a value; `undefined` if it accepts it.
 *
 * @param owner - the class or endpoint that has the validator
 * @param name - the owner, as messages name it
 * @throws {SelfsameError} `definition-invalid` for a validator that returns a promise
 */
export function reasonOf(
  validator: Validator,
  value: unknown,
  owner: unknown,
  name: string,
): string | undefined {
  // Checked first, because validators of arktype are functions.
  const isStandard = '~standard' in validator
  const verdict: unknown = isStandard
    ? validator['~standard'].validate(value)
    : (validator as (value: unknown) => unknown).call(owner, value)
  if (verdict instanceof Promise) {
    // The error below is thrown instead, so a rejection must not be reported as unhandled.
    verdict.catch(() => {})
    throw errors.validateAsynchronous(name)
  }
  if (isStandard) return describeIssues((verdict as StandardVerdict).issues)
  if (!verdict) return undefined
  return typeof verdict === 'string' ? verdict : 'it returned no text'
}

/** The highest count of issues in a message. */
const namedIssues = 5

function describeIssues(issues: readonly StandardIssue[] | undefined): string | undefined {
  if (issues === undefined) return undefined
  if (!development)
    return issues.map(({ message, path = [] }) => [...path.map(nameOfPart), message].join(': ')).join('; ')
  const named = issues.slice(0, namedIssues).map(({ message, path = [] }) => {
    const place = placeOf(path.map(nameOfPart))
    // Some validators begin the message with the path.
    return place === '' || message.startsWith(place) ? message : `${place}: ${message}`
  })
  const more = issues.length - named.length
  return `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

function nameOfPart(part: PropertyKey | { readonly key: PropertyKey }): string | number {
  const key = typeof part === 'object' ? part.key : part
  return typeof key === 'symbol' ? String(key) : key
}
