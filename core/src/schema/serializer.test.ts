import { describe, expect, test } from 'vitest'
import { denormalize } from '../denormalize/denormalize.js'
import { normalize } from '../normalize/normalize.js'
import { Entity } from './entity.js'
import type { Serializer } from './schema.js'

class Money {
  readonly cents: number
  constructor(cents: number) {
    this.cents = cents
  }
}
class WithoutConstructor {
  readonly kind = 'none'
}

/** A class as a compiler writes it for old engines. */
interface Transpiled {
  amount: number
  add(): void
}
const Transpiled = (() => {
  function Transpiled(this: Transpiled, amount: number) {
    if (!(this instanceof (Transpiled as unknown as new () => object)))
      throw new TypeError('called without new')
    this.amount = amount
  }
  Transpiled.prototype.add = function add() {}
  return Transpiled as unknown as new (amount: number) => Transpiled
})()

function declared(this: unknown, value: number): string {
  return `${value}!`
}
const instant = { from: (text: string) => `instant ${text}` }
const prefix = {
  text: '#',
  add(this: { text: string } | undefined, value: string) {
    return this!.text + value
  },
}

/** Returns the value that a read gives for a field with this serializer. */
function read(serializer: Serializer, value: unknown): unknown {
  const { result } = normalize({ field: serializer }, { field: value })
  return (denormalize({ field: serializer }, result, {}) as { field: unknown }).field
}

describe('a field schema (S9)', () => {
  test.each<[string, Serializer, unknown, unknown]>([
    ['Date', Date, '2024-05-17T12:00:00Z', new Date(Date.UTC(2024, 4, 17, 12))],
    ['Date', Date, 0, new Date(0)],
    ['a native class', URL, 'http://a/b', new URL('http://a/b')],
    ['a native class of entries', Map, [['a', 1]], new Map([['a', 1]])],
    ['a class', Money, 5, new Money(5)],
    ['a class without a constructor of its own', WithoutConstructor, 5, new WithoutConstructor()],
    ['a class of an old compiler', Transpiled, 5, new Transpiled(5)],
  ])('%s is constructed', (_, serializer, value, shown) => {
    const field = read(serializer, value)
    expect(field).toEqual(shown)
    expect(Object.getPrototypeOf(field)).toBe(Object.getPrototypeOf(shown))
  })

  test.each<[string, Serializer, unknown, unknown]>([
    ['Number', Number, '5', 5],
    ['String', String, 5, '5'],
    ['Boolean', Boolean, 1, true],
    ['BigInt', BigInt, '12345678901234567890', 12345678901234567890n],
    ['an arrow function', (value: string) => `${value}?`, 'a', 'a?'],
    ['a declared function', declared as Serializer, 1, '1!'],
    [
      'an asynchronous function',
      (async (value: number) => Promise.resolve(value)) as Serializer,
      1,
      expect.any(Promise),
    ],
    ['a method', instant.from, '5', 'instant 5'],
    ['a bound method', prefix.add.bind(prefix) as Serializer, '5', '#5'],
    ['a native function', encodeURIComponent, 'a b', 'a%20b'],
    ['a native method', JSON.parse, '[1]', [1]],
  ])('%s is called', (_, serializer, value, shown) => {
    expect(read(serializer, value)).toEqual(shown)
  })

  test.each([Date, Number, Money, declared as Serializer, String])(
    '%o leaves null and undefined alone',
    (serializer) => {
      expect(read(serializer, null)).toBeNull()
      expect(read(serializer, undefined)).toBeUndefined()
    },
  )

  test('takes empty text and 0 as data', () => {
    expect(read(Number, '')).toBe(0)
    expect(read(String, 0)).toBe('0')
    expect(read(Boolean, '')).toBe(false)
  })

  test('is given the value alone, without its index', () => {
    expect(
      denormalize([Number.parseInt], normalize([Number.parseInt], ['10', '10', '10']).result, {}),
    ).toEqual([10, 10, 10])
  })
})

describe('a Map that a mutation writes', () => {
  const entries = (value: object) => new Map(Object.entries(value))

  test('is taken where its serializer returns it as it is', () => {
    const labels = new Map([['green', 9]])
    const asItIs = (value: object) => (value instanceof Map ? value : entries(value))
    expect(read(asItIs, labels)).toEqual(labels)
    expect(read(entries, { green: 9 })).toEqual(labels)
  })

  test('is an error where its serializer makes another one of it', () => {
    expect(() => read(entries, new Map([['green', 9]]))).toThrow(
      'its serializer got a Map or a Set, as a mutation may write, and made another one of it',
    )
  })
})

describe('a value that cannot be read (S9)', () => {
  class Article extends Entity {
    id = 0
    createdAt: Date | undefined
    static override key = 'Article'
    static override schema = { createdAt: Date, price: BigInt }
  }

  test.each(['not a date', Number.NaN, {}])(
    'as a date is an error when the answer arrives: %o',
    (createdAt) => {
      expect(() => normalize([Article], [{ id: 1 }, { id: 2, createdAt }])).toThrow(
        expect.objectContaining({
          code: 'payload-unusable',
          status: 400,
          message: `Field "createdAt" does not fit its schema, in the payload of normalize(), at [1].createdAt: it is not a date.
  Change the value in process(), or change the schema of the field.`,
        }),
      )
    },
  )

  test('because its serializer throws is an error with the cause', () => {
    let error: unknown
    try {
      normalize(Article, { id: 1, price: 'x' })
    } catch (thrown) {
      error = thrown
    }
    expect(error).toMatchObject({
      code: 'payload-unusable',
      message: `Field "price" does not fit its schema, in the payload of normalize(), at price: its serializer threw.
  Change the value in process(), or change the schema of the field.`,
    })
    expect((error as Error).cause).toBeInstanceOf(SyntaxError)
  })

  test('is kept as it was received until it is read', () => {
    const { entities } = normalize(Article, { id: 1, createdAt: '2024-05-17', price: 5 })
    expect(entities.Article!['1']).toEqual({ id: 1, createdAt: '2024-05-17', price: 5 })
  })
})
