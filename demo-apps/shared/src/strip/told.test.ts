import { expect, test } from 'vitest'
import { lineOf } from './told.js'
import type { Moment, Told } from './told.js'

const read: Told = {
  kind: 'read',
  name: 'Article.get 5',
  why: 'because ArticleScreen mounted; nothing was cached',
  readers: 1,
  error: undefined,
}

const said = (moment: Partial<Moment>) => {
  const line = lineOf({ requests: [], cached: [], ...moment })
  return line && `${line.title}: ${line.text}`
}

test.each<[string, Partial<Moment>, string | undefined]>([
  ['nothing', {}, undefined],
  [
    'a screen from the cache',
    { cached: ['getPages', 'User.getList'] },
    'Served from cache: getPages and User.getList. No request.',
  ],
  ['many calls', { cached: ['a', 'b', 'c', 'd', 'e'] }, 'Served from cache: a, b, and 3 more. No request.'],
  [
    'a request',
    { requests: [read] },
    '1 request: Article.get 5, because ArticleScreen mounted; nothing was cached.',
  ],
  [
    'a request of several readers',
    { requests: [{ ...read, readers: 3 }] },
    'Shared: 1 request for 3 readers: Article.get 5.',
  ],
  [
    'a request for what was there',
    { requests: [{ ...read, why: 'because ArticleScreen mounted, Stale by 12 s', readers: 2 }] },
    'Refetched: Article.get 5, because ArticleScreen mounted, Stale by 12 s.',
  ],
  [
    'a request for what was invalidated',
    { requests: [{ ...read, why: 'because ArticleScreen mounted; the call was invalidated' }] },
    'Refetched: Article.get 5, because ArticleScreen mounted; the call was invalidated.',
  ],
  [
    'a request beside the cache',
    { requests: [read], cached: ['currentUser'] },
    '1 request: Article.get 5, because ArticleScreen mounted; nothing was cached. 1 other call served from cache.',
  ],
  [
    'a save',
    { requests: [{ ...read, kind: 'mutation', name: 'Article.create', why: 'because it was called' }] },
    '1 request: Article.create. Every screen shows the response.',
  ],
  ['several', { requests: [read, { ...read, name: 'getFeed' }] }, '2 requests: Article.get 5 and getFeed.'],
  [
    'a failure',
    { requests: [read, { ...read, name: 'getFeed', error: 'getFeed failed: 503' }] },
    'Failed: getFeed. getFeed failed: 503',
  ],
])('says what happened: %s', (_, moment, text) => {
  expect(said(moment)).toBe(text)
})
