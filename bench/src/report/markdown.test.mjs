import { expect, test } from 'vitest'
import { replaceSections } from './markdown.mjs'

const sections = ['Store', 'Kept', 'Sizes'].map((title) => ({
  id: title.toLowerCase(),
  title,
  text: `About ${title}.`,
  libraries: [{ id: 'selfsame', name: 'Selfsame', packages: ['a'], use: 'Used.' }],
  namesLibraries: true,
  scenarios: [
    {
      id: title,
      title,
      text: 'Reads.',
      metrics: [{ id: 'read', title: 'one read', unit: 'us' }],
      targets: [],
    },
  ],
}))

const runOf = (value) => ({
  startedAt: '2026-01-02T03:04:05Z',
  machine: { cpu: 'A processor', cores: 2, node: 'v20' },
  commit: 'abc',
  plan: { rounds: 2, load: 0.5, libraries: ['selfsame'] },
  versions: { a: '1.0.0' },
  rows: [{ scenario: 'Kept', metric: 'read', library: 'selfsame', size: 100, round: 1, value }],
})

test('writes the sections of a run into the page, once, and leaves the others as they are', async () => {
  const page = '# Benchmarks\n\n## Store\n\nOld.\n\n## Sizes\n\nOld.\n\n## Who is compared\n\nAll.\n'
  const first = await replaceSections(page, runOf(12), sections, 'bench/tables.md')
  expect(first.match(/^## .*/gm)).toEqual(['## Store', '## Kept', '## Sizes', '## Who is compared'])
  expect(first).toContain(
    'Measured in a run of its own on 2026-01-02: A processor, 2 cores, Node v20; 2 rounds',
  )
  expect(first).toContain('- **Selfsame**: `a` 1.0.0; Used.')
  expect(first.match(/Old\./g)).toHaveLength(2)
  const second = await replaceSections(first, runOf(34), sections, 'bench/tables.md')
  expect(second).toBe(first.replaceAll('12 us', '34 us'))
  expect(second).not.toBe(first)
})
