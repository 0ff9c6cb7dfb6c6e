import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { copyPlain, isPlainObject, isSamePlain, setOwn, shareStructure } from './plain.js'

class Point {
  x = 1
}
class Money {
  readonly #cents: number
  constructor(cents: number) {
    this.#cents = cents
  }
  equals(other: Money) {
    return this.#cents === other.#cents
  }
}
class Owner {
  pk() {
    return '1'
  }
  equals() {
    return true
  }
}
const withoutPrototype = (fields: object) => Object.assign(Object.create(null) as object, fields)
const hostile = () => JSON.parse('{ "__proto__": { "a": 1 }, "constructor": 2 }') as Record<string, unknown>

/** Returns an array nested in `depth` arrays. */
function nested(depth: number): unknown {
  let value: unknown = []
  for (let level = 0; level < depth; level++) value = [value]
  return value
}

describe('isPlainObject', () => {
  test.each([
    [{}, true],
    [withoutPrototype({}), true],
    [hostile(), true],
    [[], false],
    [new Point(), false],
    [new Date(), false],
    [new Map(), false],
    [Object.create({}), false],
    [() => {}, false],
    [null, false],
    [undefined, false],
    ['{}', false],
  ])('of %o is %s', (value, isPlain) => {
    expect(isPlainObject(value)).toBe(isPlain)
  })
})

const date = new Date(5)

describe('isSamePlain', () => {
  test.each([
    [1, 1],
    [Number.NaN, Number.NaN],
    [null, null],
    [
      { a: [1, { b: null }], c: undefined },
      { c: undefined, a: [1, { b: null }] },
    ],
    [date, date],
    [new Date(5), new Date(5)],
    [new Date(Number.NaN), new Date(Number.NaN)],
    [new Map([['a', { b: new Date(1) }]]), new Map([['a', { b: new Date(1) }]])],
    [new Set([{ a: 1 }]), new Set([{ a: 1 }])],
    [new URL('https://example.com/a'), new URL('https://example.com/a')],
    [/a/g, /a/g],
    [new Uint8Array([1, 2]), new Uint8Array([1, 2])],
    [new Float64Array([Number.NaN]), new Float64Array([Number.NaN])],
    [new Uint8Array([0, 1, 2]).subarray(1), new Uint8Array([1, 2])],
    [new Money(5), new Money(5)],
    [{ a: 1 }, withoutPrototype({ a: 1 })],
    [hostile(), hostile()],
  ])('of %o and %o is true', (a, b) => {
    expect(isSamePlain(a, b)).toBe(true)
  })

  test.each([
    [1, '1'],
    [0, -0],
    [null, undefined],
    [null, {}],
    [[], {}],
    [{}, []],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 2]],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: undefined }, { b: undefined }],
    [{ a: undefined }, {}],
    [new Point(), new Point()],
    [new Date(5), new Date(6)],
    [new Date(5), new Date(Number.NaN)],
    [new Date(5), {}],
    [new Map([['a', 1]]), new Map([['a', 2]])],
    [
      new Map([
        ['a', 1],
        ['b', 2],
      ]),
      new Map([
        ['b', 2],
        ['a', 1],
      ]),
    ],
    [new Set([1]), new Map([[1, 1]])],
    [new Set([1]), new Set([1, 2])],
    [new URL('https://example.com/a'), new URL('https://example.com/b')],
    [/a/g, /a/],
    [new Uint8Array([1, 2]), new Uint8Array([1, 3])],
    [new Uint8Array([1]), new Int8Array([1])],
    [new DataView(new ArrayBuffer(2)), new DataView(new ArrayBuffer(2))],
    [new ArrayBuffer(2), new ArrayBuffer(2)],
    [new Money(5), new Money(6)],
    [new Money(5), new Point()],
    [new Owner(), new Owner()],
    [{ a: 1 }, Object.assign(new Point(), { a: 1 })],
    [hostile(), {}],
    [{ toString: undefined }, { a: 1 }],
  ])('of %o and %o is false', (a, b) => {
    expect(isSamePlain(a, b)).toBe(false)
  })

  test('counts the order of keys where it is shown', () => {
    const [a, b] = [
      { a: 1, b: { c: 1, d: 1 } },
      { a: 1, b: { d: 1, c: 1 } },
    ]
    expect([isSamePlain(a, b), isSamePlain(a, b, true), isSamePlain(a, structuredClone(a), true)]).toEqual([
      true,
      false,
      true,
    ])
  })

  test('takes a map that contains itself as different', () => {
    const cyclic = () => {
      const map = new Map<string, unknown>()
      return map.set('self', map).set('again', map)
    }
    expect(isSamePlain(cyclic(), cyclic())).toBe(false)
  })

  test('takes values that contain themselves, or are nested very deep, as different', () => {
    const cyclic = () => {
      const value: Record<string, unknown> = {}
      value.self = value
      return value
    }
    expect(isSamePlain(cyclic(), cyclic())).toBe(false)
    expect(isSamePlain(nested(100), nested(100))).toBe(true)
    expect(isSamePlain(nested(100_000), nested(100_000))).toBe(false)
  })
})

describe('shareStructure (S21)', () => {
  test('gives the previous value where nothing differs', () => {
    const previous = { a: [1, { b: null }], c: 'x' }
    expect(shareStructure(previous, structuredClone(previous))).toBe(previous)
  })

  test('keeps every part that is equal', () => {
    const previous = { same: { a: 1 }, list: [{ b: 1 }, { b: 2 }], gone: 1 }
    const shared = shareStructure(previous, { same: { a: 1 }, list: [{ b: 1 }, { b: 3 }] }) as typeof previous
    expect(shared).toEqual({ same: { a: 1 }, list: [{ b: 1 }, { b: 3 }] })
    expect(shared.same).toBe(previous.same)
    expect(shared.list[0]).toBe(previous.list[0])
  })

  test.each([
    [[1, 2], [1]],
    [[1], [1, 2]],
    [[1], { 0: 1 }],
    [{ a: 1 }, { a: undefined }],
    [{ a: undefined }, {}],
    [{}, { a: undefined }],
    [{ b: 1 }, { a: undefined }],
    [{ toString: 1 }, {}],
    [{}, { constructor: undefined }],
    [null, {}],
    [{}, null],
    [1, { a: 1 }],
    [hostile(), {}],
    [{}, hostile()],
    [[undefined], [undefined, undefined]],
  ])('of %o and %o has the content of the latter', (previous, next) => {
    const shared = shareStructure(previous, next)
    expect(shared).not.toBe(previous)
    expect(shared).toStrictEqual(next)
  })

  test('neither changes nor hands out what could change what it was given', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (previous, next) => {
        const before = structuredClone([previous, next])
        expect(shareStructure(previous, next)).toStrictEqual(next)
        expect([previous, next]).toStrictEqual(before)
      }),
    )
  })

  test('keeps what is no plain data while its content is the same, and instances that cannot be compared by identity', () => {
    const previous = { at: new Date(5), of: new Map([['a', [1]]]), point: new Point() }
    const next = { at: new Date(5), of: new Map([['a', [2]]]), point: new Point() }
    const shared = shareStructure(previous, next) as typeof next
    expect(shared.at).toBe(previous.at)
    expect(shared.of).toBe(next.of)
    expect(shared.point).toBe(next.point)
  })

  test('reaches no prototype (G7)', () => {
    const shared = shareStructure({ constructor: 2 }, hostile()) as object
    expect(Object.getPrototypeOf(shared)).toBe(Object.prototype)
    expect(Object.keys(shared)).toEqual(['__proto__', 'constructor'])
  })
})

describe('copyPlain (S22)', () => {
  test('copies objects and lists, and keeps anything else', () => {
    const value = { list: [{ a: 1 }], date, point: new Point(), bare: withoutPrototype({ b: 1 }) }
    const copy = copyPlain(value) as typeof value
    expect(copy).toEqual(value)
    expect(copy).not.toBe(value)
    expect(copy.list).not.toBe(value.list)
    expect(copy.list[0]).not.toBe(value.list[0])
    expect(copy.date).toBe(date)
    expect(copy.point).toBe(value.point)
    expect(copy.bare).not.toBe(value.bare)
  })

  test('copies what is frozen', () => {
    const copy = copyPlain(Object.freeze({ a: Object.freeze([1]) })) as { a: number[] }
    copy.a.push(2)
    expect(copy).toEqual({ a: [1, 2] })
  })

  test('closes cycles, and copies what stands twice once', () => {
    const value: Record<string, unknown> = { list: [] }
    value.self = value
    value.again = value.list
    const copy = copyPlain(value) as typeof value
    expect(copy.self).toBe(copy)
    expect(copy.again).toBe(copy.list)
    expect(copy.list).not.toBe(value.list)
  })

  test('reaches no prototype (G7)', () => {
    const copy = copyPlain(hostile()) as object
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
    expect(Object.keys(copy)).toEqual(['__proto__', 'constructor'])
  })
})

describe('setOwn', () => {
  test('sets any name as an own property (G7)', () => {
    const target: Record<string, unknown> = {}
    setOwn(target, '__proto__', { a: 1 })
    setOwn(target, 'constructor', 2)
    expect(Object.entries(target)).toEqual([
      ['__proto__', { a: 1 }],
      ['constructor', 2],
    ])
    expect(Object.getPrototypeOf(target)).toBe(Object.prototype)
  })
})
