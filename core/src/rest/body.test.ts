import { describe, expect, test } from 'vitest'
import { Entity } from '../schema/entity.js'
import { encodeBody } from './body.js'

class Todo extends Entity {
  id = 5
  title = 'Buy milk'
}
class Point {
  x = 1
  y = 2
}
class Money {
  readonly cents: number
  constructor(cents: number) {
    this.cents = cents
  }
  toJSON() {
    return `${this.cents} ct`
  }
}

const withoutPrototype = Object.assign(Object.create(null) as object, { a: 1 })

describe('encodeBody (E7)', () => {
  test.each([
    ['an object', { a: 1, b: undefined }, '{"a":1}'],
    ['an array', [1, { a: null }], '[1,{"a":null}]'],
    ['a class instance', new Point(), '{"x":1,"y":2}'],
    ['a class instance that has a toJSON', { price: new Money(5) }, '{"price":"5 ct"}'],
    ['an object without prototype', withoutPrototype, '{"a":1}'],
    ['an entity', new Todo(), '{"id":5,"title":"Buy milk"}'],
    [
      'a Map and a Set',
      { votes: new Map([['a', 1]]), tags: new Set(['x']) },
      '{"votes":{"a":1},"tags":["x"]}',
    ],
    ['null', null, 'null'],
    ['a number', 5, '5'],
    ['false', false, 'false'],
  ])('sends %s as JSON', (_, body, text) => {
    expect(encodeBody(body)).toEqual({ body: text, headers: { 'Content-Type': 'application/json' } })
  })

  test.each([
    ['text', 'a=1'],
    ['FormData', new FormData()],
    ['a Blob', new Blob(['x'])],
    ['a File', new File(['x'], 'x.txt')],
    ['URLSearchParams', new URLSearchParams('a=1')],
    ['an ArrayBuffer', new ArrayBuffer(2)],
    ['bytes', new Uint8Array(2)],
    ['a stream', new ReadableStream()],
  ])('sends %s untouched, without a JSON content type', (_, body) => {
    const encoded = encodeBody(body)
    expect(encoded.body).toBe(body)
    expect(encoded.headers).toEqual({})
  })

  test('sends nothing for undefined', () => {
    expect(encodeBody(undefined)).toEqual({ body: undefined, headers: {} })
  })
})
