import { expect, test } from 'vitest'
import { differencesOf } from './differences.js'

const of = (before: unknown, after: unknown) => differencesOf(JSON.stringify(before), JSON.stringify(after))

test('a changed field is one line, and the others stay apart', () => {
  expect(of({ id: 5, priority: 'urgent', title: 'a' }, { id: 5, priority: 'low', title: 'a' })).toEqual({
    changed: [{ path: 'priority', before: 'urgent', after: 'low' }],
    same: ['id: 5', 'title: a'],
  })
})

test('nested fields have a path; lists are compared whole', () => {
  expect(of({ a: { b: 1, c: 2 }, list: [1] }, { a: { b: 3, c: 2 }, list: [1, 2] })).toEqual({
    changed: [
      { path: 'a.b', before: '1', after: '3' },
      { path: 'list', before: '[1]', after: '[1,2]' },
    ],
    same: ['a.c: 2'],
  })
})

test('what was not there is told from what was empty, and a text from a number', () => {
  expect(of({ a: '' }, { a: null, b: '5', c: 5 })?.changed).toEqual([
    { path: 'a', before: '""', after: 'null' },
    { path: 'b', before: undefined, after: '"5"' },
    { path: 'c', before: undefined, after: '5' },
  ])
  expect(differencesOf(undefined, '{"id":5,"title":"a"}')?.changed).toEqual([
    { path: 'id', before: undefined, after: '5' },
    { path: 'title', before: undefined, after: 'a' },
  ])
  expect(differencesOf('[1]', undefined)?.changed).toEqual([{ path: '', before: '[1]', after: undefined }])
})

test('a text that was cut is not compared', () => {
  expect(differencesOf('{"a":1…', '{"a":2}')).toBeUndefined()
})
