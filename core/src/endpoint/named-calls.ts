import type { Schema } from '../schema/schema.js'

/** A call by its endpoint and arguments. */
export interface KeyedCall {
  readonly endpoint: { readonly schema?: Schema | undefined }
  readonly args: readonly unknown[]
}

let naming: Map<string, KeyedCall> | undefined

/** Runs a function. @param calls - gets the calls whose keys the function asks for, by key */
export function collectNamed<Value>(calls: Map<string, KeyedCall>, run: () => Value): Value {
  const before = naming
  naming = calls
  try {
    return run()
  } finally {
    naming = before
  }
}

/** Called by `key` of an endpoint. @returns the key */
export function nameCall(endpoint: KeyedCall['endpoint'], args: readonly unknown[], key: string): string {
  naming?.set(key, { endpoint, args })
  return key
}
