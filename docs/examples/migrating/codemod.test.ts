import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { JSCodeshift } from 'jscodeshift'
import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import type { Transform } from '../../../core/codemod/names.js'
import { runCodemod } from '../../../core/codemod/run.js'

// The screens before and after in docs/migrating: the codemod makes the one of the other.

const here = new URL('./', import.meta.url)
const jscodeshift = createRequire(import.meta.url)('jscodeshift') as JSCodeshift

test.each<[transform: Transform, before: string, after: string]>([
  ['5.1', '5.1-before.tsx', '5.1-after.tsx'],
  ['4.5', '4.5-before.tsx', '4.5-after.tsx'],
  [
    'current',
    '../../../core/codemod/cases/current/guide/input/data-client-before.tsx',
    'data-client-after.tsx',
  ],
])('the transform %s makes the screen after of the screen before', async (transform, before, after) => {
  const text = readFileSync(new URL(before, here), 'utf8')
  const { changes, remarks } = runCodemod(transform, [{ path: 'screen.tsx', text }], jscodeshift)
  expect(remarks).toEqual([])
  const style = await resolveConfig(new URL(after, here))
  const moved = await format(changes[0]?.after ?? '', { ...style, plugins: [], filepath: 'screen.tsx' })
  expect(moved).toBe(readFileSync(new URL(after, here), 'utf8'))
})
