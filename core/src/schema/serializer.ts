import { development } from '#development'
import { copyPlain, isSamePlain } from '../util/plain.js'
import type {
  DenormalizeDelegate,
  NormalizeDelegate,
  PayloadKey,
  SchemaContract,
  Serializer,
} from './schema.js'

const primitiveConstructors: ReadonlySet<unknown> = new Set([Number, String, Boolean, BigInt, Symbol])

/**
 * Converts a field when it is read: `Date`, `Temporal.Instant.from`, `Number`, any function. The received value is stored,
 * so that equal payloads compare as equal. `null` and `undefined` are not converted.
 *
 * @see specification 2.1, Field schemas, S9, S25
 */
export class SerializerSchema implements SchemaContract {
  readonly isPure = true
  readonly #read: (input: unknown) => unknown
  readonly #isDate: boolean

  constructor(serializer: Serializer) {
    this.#isDate = serializer === Date || serializer.prototype instanceof Date
    this.#read = isConstructed(serializer)
      ? (input) => new (serializer as new (input: unknown) => unknown)(input)
      : (serializer as (input: unknown) => unknown)
  }

  normalize(input: unknown, _parent: unknown, key: PayloadKey, delegate: NormalizeDelegate): unknown {
    if (input === null || input === undefined) return input
    let value: unknown
    try {
      value = this.#read(input)
    } catch (cause) {
      throw delegate.unusable(key, development ? 'its serializer threw' : '', cause)
    }
    // A Date takes `true` for the first millisecond, and an array for its text.
    if (
      (value instanceof Date && Number.isNaN(value.getTime())) ||
      (this.#isDate && !(/^(string|number)$/.test(typeof input) || input instanceof Date))
    )
      throw delegate.unusable(key, development ? 'it is not a date' : '')
    // A mutation may write what a read returned.
    if (development && hasEntries(input) && hasEntries(value) && !isSamePlain(input, value))
      throw delegate.unusable(
        key,
        'its serializer got a Map or a Set, as a mutation may write, and made another one of it: let it return such a value as it is',
      )
    if (Number.isNaN(value)) throw delegate.unusable(key, development ? 'it is not a number' : '')
    return delegate.isOwned ? input : copyPlain(input)
  }

  denormalize(input: unknown, _delegate: DenormalizeDelegate): unknown {
    return input === null || input === undefined ? input : this.#read(input)
  }
}

/** A class is constructed; a function, a bound method and the constructors of primitives are called. */
function isConstructed(serializer: Serializer): boolean {
  const prototype: unknown = serializer.prototype
  if (typeof prototype !== 'object' || prototype === null || primitiveConstructors.has(serializer))
    return false
  const text = Function.prototype.toString.call(serializer)
  if (/^class\b/.test(text) || /\{\s*\[native code\]\s*\}\s*$/.test(text)) return true
  // A class that a compiler wrote as a function has members beside `constructor`; a plain function has none.
  return Object.getOwnPropertyNames(prototype).length > 1
}

function hasEntries(value: unknown): boolean {
  return value instanceof Map || value instanceof Set
}
