import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stableStringify } from './stable-stringify.js'

describe('stableStringify (S20)', () => {
  test.each([
    [{ b: 1, a: '1', c: undefined }, '{"a":"1","b":"1"}'],
    [1, '"1"'],
    ['1', '"1"'],
    [1n, '"1"'],
    [-0, '"0"'],
    [1.5, '"1.5"'],
    [Number.NaN, '"NaN"'],
    [true, 'true'],
    ['true', '"true"'],
    [null, 'null'],
    [undefined, 'undefined'],
    [[1, [null, undefined], {}], '["1",[null,undefined],{}]'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [{ 'a"b': 'c"d\n' }, '{"a\\"b":"c\\"d\\n"}'],
    [new URL('http://a/b'), '"http://a/b"'],
    [new Map<unknown, unknown>([['b', { y: 1, x: 2 }]]), '[["b",{"x":"2","y":"1"}]]'],
    [new Set(['b', 'a']), '["b","a"]'],
    [{ toJSON: () => ({ b: 1, a: 2 }) }, '{"a":"2","b":"1"}'],
  ])('writes %o as %s', (value, text) => {
    expect(stableStringify(value)).toBe(text)
  })

  test.each([
    [new URLSearchParams('b=1&a=2'), '[["b","1"],["a","2"]]'],
    [new Headers({ b: '1', a: '2' }), '[["a","2"],["b","1"]]'],
    [new Uint8Array([1, 2]), '["1","2"]'],
    [
      new (class Filter {
        text = 'x'
      })(),
      '{"text":"x"}',
    ],
    [Object.create(null), '{}'],
  ])('tells the content of %o, as %s', (value, text) => {
    expect(stableStringify(value, refuse)).toBe(text)
  })

  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic
  const invalid = new Date(Number.NaN)
  test.each([
    ['a function', () => 1],
    ['a symbol', Symbol('a')],
    ['a Blob', new Blob(['a'])],
    ['an ArrayBuffer', new ArrayBuffer(1)],
    [
      'an object with private fields',
      new (class {
        #a = 1
        get a() {
          return this.#a
        }
      })(),
    ],
    ['an iterator', [1, 2].values()],
    ['an invalid Date', invalid],
    ['what a field holds', { a: [invalid] }],
    ['what holds itself', cyclic],
  ])('refuses %s, whose content it cannot tell', (_, value) => {
    expect(() => stableStringify(value, refuse)).toThrow('refused')
  })

  test('writes what it cannot tell where nobody refuses it', () => {
    expect(stableStringify([() => 1, Symbol('a'), new Blob(['a']), invalid])).toBe(
      '[undefined,undefined,{},null]',
    )
  })

  test('writes hostile names like any other (G7)', () => {
    const value: unknown = JSON.parse('{ "constructor": 1, "__proto__": { "a": 1 } }')
    expect(stableStringify(value)).toBe('{"__proto__":{"a":"1"},"constructor":"1"}')
  })

  test('is equal for equal JSON in any order, and differs for different JSON', () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, part]) => [name, reversed(part)]),
      )
    }
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(stableStringify(reversed(value))).toBe(stableStringify(value))
      }),
    )
    const texts = fc.jsonValue().filter((value) => !JSON.stringify(value).match(/[\d]/))
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        fc.pre(JSON.stringify(a) !== JSON.stringify(reversed(b)) && JSON.stringify(a) !== JSON.stringify(b))
        fc.pre(!isSameJson(a, b))
        expect(stableStringify(a)).not.toBe(stableStringify(b))
      }),
    )
  })
})

function refuse(): never {
  throw new Error('refused')
}

/** Compares two values, ignoring the order of properties. */
function isSameJson(a: unknown, b: unknown): boolean {
  try {
    expect(a).toEqual(b)
    return true
  } catch {
    return false
  }
}
