import { expect, test } from 'vitest'
import { optionsOfPalette } from './application/tracker/keyboard.js'
import { placeByUrgency } from './application/tracker/words.js'
import { Issue } from './issue.js'

test('an issue lands among those of its priority by its age, and those of others by theirs', () => {
  const column = [
    { id: 7, priority: 'urgent' },
    { id: 9, priority: 'high' },
    { id: 4, priority: 'high' },
    { id: 5, priority: 'none' },
  ] as const
  const placeOf = (id: number, priority: 'urgent' | 'high' | 'low') =>
    placeByUrgency({ id, priority }, column)
  expect([placeOf(1, 'urgent'), placeOf(10, 'high'), placeOf(6, 'high'), placeOf(3, 'low')]).toEqual([
    1, 1, 2, 3,
  ])
  expect(placeByUrgency({ id: 1, priority: 'none' }, column)).toBe(4)
  expect(placeByUrgency({ id: 1, priority: 'none' }, [])).toBe(0)
})

test('the palette shows what begins with the text, then words that do, then what contains it', () => {
  const issue = (id: number, title: string) => Issue.fromJS({ id, title })
  const issues = [
    issue(1, 'Anchor is gone'),
    issue(2, 'Drop the gong'),
    issue(3, 'Gong rings'),
    issue(4, 'Avogong'),
  ]
  const names = optionsOfPalette('gong', issues).map(({ name }) => name)
  expect(names).toEqual(['#3 Gong rings', '#2 Drop the gong', '#4 Avogong'])
  expect(optionsOfPalette('go', issues)[0]?.name).toBe('Go to the board')
})
