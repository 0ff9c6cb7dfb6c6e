import { readFileSync } from 'node:fs'
import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import type { Transform } from '../../../tools/codemod/src/names.js'
import { runCodemod } from '../../../tools/codemod/src/run.js'

// The screens before and after in docs/migrating: the codemod makes the one of
// the other.

const here = new URL('./', import.meta.url)

test.each<[transform: Transform, before: string, after: string]>([
  ['5.1', '5.1-before.tsx', '5.1-after.tsx'],
  ['4.5', '4.5-before.tsx', '4.5-after.tsx'],
  [
    'current',
    '../../../tools/codemod/cases/current/guide/input/data-client-before.tsx',
    'data-client-after.tsx',
  ],
])(
  'the transform %s makes the screen after of the screen before',
  async (transform, before, after) => {
    const text = readFileSync(new URL(before, here), 'utf8')
    const { changes, remarks } = runCodemod(transform, [
      { path: 'screen.tsx', text },
    ])
    expect(remarks).toEqual([])
    const style = await resolveConfig(new URL(after, here))
    const moved = await format(changes[0]?.after ?? '', {
      ...style,
      plugins: [],
      filepath: 'screen.tsx',
    })
    expect(moved).toBe(readFileSync(new URL(after, here), 'utf8'))
  },
)
