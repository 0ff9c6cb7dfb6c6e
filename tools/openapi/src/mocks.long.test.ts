import { expect, test } from 'vitest'
import { wrongAnswersOf } from './testing-mocked.js'

// The larger ones of mocks.test.ts.

test.each(['github', 'stripe', 'digitalocean', 'slack'])(
  '%s: what is made up is what the description says',
  async (name) => {
    expect(await wrongAnswersOf(name)).toEqual([])
  },
)
