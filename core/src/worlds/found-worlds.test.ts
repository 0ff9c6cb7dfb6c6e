import { expect, test, vi } from 'vitest'
import { AppWorld } from './testing-app-world.js'
import type { AppStep } from './testing-app-world.js'
import type { AppStyle } from './testing-app.js'

const plain: AppStyle = {
  hasRules: false,
  hasOwnIds: false,
  isEarly: false,
  isInfinite: false,
  isRefetched: false,
  isLive: false,
}

/** The fewest steps that once ended wrong. */
const found: readonly (readonly [what: string, style: Partial<AppStyle>, steps: readonly AppStep[]])[] = [
  ['a count follows on a record that a list has brought as a summary', {}, [['comment', 8, 1]]],
  [
    'a message that brings the effect of a mutation before its response is counted once',
    { isLive: true },
    [
      ['openList', 1, 9],
      ['quiet', 0, 0],
      ['toggle', 1, 0],
      ['handle', 0, 0],
      ['message', 0, 0],
    ],
  ],
  [
    'so it is where a list is on its way',
    { isLive: true, hasRules: true },
    [
      ['openList', 11, 0],
      ['toggle', 0, 5],
      ['handle', 2, 8],
      ['handle', 0, 0],
      ['message', 0, 0],
      ['answer', 0, 0],
    ],
  ],
  [
    'a row of a later page whose answer was lost is fetched with all pages',
    {},
    [
      ['more', 6, 2],
      ['quiet', 6, 2],
      ['toggle', 8, 9],
      ['abort', 9, 1],
    ],
  ],
  [
    'the 404 of a record that is being created gives way to its response, which comes first',
    { hasOwnIds: true, isEarly: true },
    [
      ['create', 2, 8],
      ['openDetail', 4, 8],
      ['handle', 7, 11],
    ],
  ],
  [
    'the 404 of a record that is being created gives way to its response, which comes last',
    { hasOwnIds: true, isEarly: true },
    [
      ['create', 2, 8],
      ['openDetail', 4, 8],
      ['handle', 7, 11],
      ['answer', 0, 0],
    ],
  ],
  [
    'a row that is deleted between two pages of one refetch',
    { isRefetched: true },
    [
      ['more', 6, 0],
      ['handle', 0, 0],
      ['answer', 2, 10],
      ['refetch', 4, 6],
      ['delete', 0, 7],
    ],
  ],
  [
    'a page that was under way beside a deletion begins later than the page before it ends',
    { hasRules: true },
    [
      ['more', 8, 3],
      ['refetch', 3, 9],
      ['handle', 11, 3],
      ['delete', 1, 7],
      ['handle', 5, 2],
    ],
  ],
  [
    'a part of the page that hydrates late leaves the pages that were loaded since',
    { hasRules: true },
    [
      ['render', 1, 0],
      ['more', 4, 1],
      ['quiet', 11, 1],
      ['more', 3, 11],
      ['part', 10, 8],
    ],
  ],
  [
    'a record that joins behind the last row of a list with a number',
    { hasRules: true },
    [
      ['more', 7, 11],
      ['create', 9, 5],
      ['openList', 11, 3],
      ['create', 6, 6],
      ['quiet', 0, 7],
      ['toggle', 0, 7],
    ],
  ],
  [
    'two comments, of which messages bring the counts beside updates',
    { isLive: true },
    [
      ['comment', 0, 0],
      ['handle', 0, 0],
      ['message', 0, 0],
      ['comment', 0, 0],
    ],
  ],
  [
    'the message of a deletion of a row that is not loaded, and was not in this list',
    { isLive: true },
    [
      ['openList', 5, 0],
      ['quiet', 0, 0],
      ['other', 3, 1],
    ],
  ],
  [
    'the message of a deletion of a row that is not loaded, and was in this list',
    { isLive: true, hasRules: true },
    [
      ['openList', 3, 0],
      ['quiet', 0, 0],
      ['other', 5, 1],
    ],
  ],
  [
    'expireAll reaches what is hydrated and was not read',
    { isRefetched: true },
    [
      ['openComments', 9, 2],
      ['close', 6, 7],
      ['other', 7, 1],
      ['reload', 6, 11],
    ],
  ],
]

test('a list without rules is counted once beside lists with rules', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  // It makes the rules hold for each store.
  await new AppWorld({ ...plain, hasRules: true }).run([['openList', 1, 1]])
  const steps: readonly AppStep[] = [
    ['openComments', 0, 0],
    ['openList', 5, 0],
    ['toggle', 0, 0],
    ['handle', 0, 0],
    ['handle', 0, 0],
  ]

  await expect(new AppWorld({ ...plain, isLive: true }).run(steps)).resolves.toBe(undefined)

  vi.restoreAllMocks()
})

test.each(found)('%s', async (_what, style, steps) => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})

  await expect(new AppWorld({ ...plain, ...style }).run(steps)).resolves.toBe(undefined)

  vi.restoreAllMocks()
})
