import { expect, test } from 'vitest'
import { linkParams } from './link.js'

test.each([
  ['<https://api.test/a?page=2>; rel="next"', { page: '2' }],
  [
    '<https://api.test/a?page=1>; rel="prev", </a?page=3&q=a%20b,c>; rel="next last"',
    { page: '3', q: 'a b,c' },
  ],
  ['</a?cursor=x>; title="a, b; rel=prev"; rel=next', { cursor: 'x' }],
  ['</a?page=2#top>; REL=NEXT', { page: '2' }],
  ['</a>; rel="next"', {}],
  ['</a?page=1>; rel="prev"', undefined],
  ['', undefined],
  [null, undefined],
])('reads the params of the next page from %s', (link, params) => {
  expect(linkParams(link)).toEqual(params)
})

test('reads another relation', () => {
  expect(linkParams('</a?page=1>; rel="prev", </a?page=3>; rel="next"', 'prev')).toEqual({ page: '1' })
})
