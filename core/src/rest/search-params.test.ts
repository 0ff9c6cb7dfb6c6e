import { describe, expect, test } from 'vitest'
import { toSearchString } from './search-params.js'

const refuse = (param: string, why: string): never => {
  throw new Error(`${param}: ${why}`)
}
const write = (params: Readonly<Record<string, unknown>>) => toSearchString(params, refuse)

const date = new Date(Date.UTC(2024, 4, 17, 12))

describe('toSearchString (E5)', () => {
  test.each([
    ['nothing', {}, ''],
    ['undefined, which is left out', { a: undefined, b: 1 }, 'b=1'],
    ['null, which is left out', { a: null, b: 1 }, 'b=1'],
    ['empty text, which is sent', { a: '' }, 'a='],
    ['false and zero, which are sent', { a: false, b: 0 }, 'a=false&b=0'],
    ['a big number', { a: 12n }, 'a=12'],
    ['an array, which repeats its key', { tag: ['a', 'b'] }, 'tag=a&tag=b'],
    ['an array in its own order', { tag: ['b', 'a'] }, 'tag=b&tag=a'],
    ['an empty array', { tag: [] }, ''],
    ['null and undefined in an array', { tag: ['a', null, undefined, 'b'] }, 'tag=a&tag=b'],
    ['an object', { a: { c: 2, b: 1 } }, 'a%5Bb%5D=1&a%5Bc%5D=2'],
    ['an object in an object', { a: { b: { c: 1 } } }, 'a%5Bb%5D%5Bc%5D=1'],
    ['an array in an object', { a: { b: [1, 2] } }, 'a%5Bb%5D=1&a%5Bb%5D=2'],
    ['an object in an array', { a: [{ b: 1 }] }, 'a%5Bb%5D=1'],
    ['a date, which is ISO text', { at: date }, 'at=2024-05-17T12%3A00%3A00.000Z'],
    ['dates in an array', { at: [date] }, 'at=2024-05-17T12%3A00%3A00.000Z'],
    ['text that has to be encoded', { 'q&': 'a=b c+é/?' }, 'q%26=a%3Db+c%2B%C3%A9%2F%3F'],
    ['names in any order, which are sorted', { c: 1, a: 2, b: 3 }, 'a=2&b=3&c=1'],
  ])('writes %s', (_, params, text) => {
    expect(write(params)).toBe(text)
  })

  test('writes what URLSearchParams reads back', () => {
    const search = new URLSearchParams(write({ filter: { name: 'é&' }, tag: ['x', 'y'] }))
    expect([...search]).toEqual([
      ['filter[name]', 'é&'],
      ['tag', 'x'],
      ['tag', 'y'],
    ])
  })

  test('writes hostile names like any other (G7)', () => {
    const params = JSON.parse('{ "__proto__": 1, "constructor": 2 }') as Record<string, unknown>
    expect(write(params)).toBe('__proto__=1&constructor=2')
  })

  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic
  test.each([
    [{ at: new Date(Number.NaN) }, 'at: it is an invalid Date'],
    [{ page: Number.NaN }, 'page: it is NaN'],
    [{ filter: { text: ['\uD83D'] } }, 'filter[text]: it contains half of a character (a lone surrogate)'],
    [{ each: () => 1 }, 'each: it is a function'],
    [{ cyclic }, `cyclic${'[self]'.repeat(20)}`.slice(0, 80)],
  ])('refuses %o', (params, why) => {
    expect(() => write(params)).toThrow(why)
  })
})
