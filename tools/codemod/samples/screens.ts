import { expect, vi } from 'vitest'

const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)]
const texts = (selector: string) => all(selector).map(({ textContent }) => textContent)
const click = (text: string) =>
  all('button, li')
    .find(({ textContent }) => textContent?.startsWith(text))
    ?.click()

/** Uses the screens of a sample as a user would. */
export async function tryOut(requests: readonly string[]): Promise<void> {
  const see = (rows: readonly string[]) => vi.waitFor(() => expect(texts('li')).toEqual(rows))
  await see(['Write ✓ of Ann', 'Read of Ann'])
  expect(texts('p')).toEqual(['1 done'])

  click('Add')
  await see(['Write ✓ of Ann', 'Read of Ann', 'New of Ann'])

  click('Read')
  await vi.waitFor(() => expect(texts('h2')).toEqual(['Read, Ann']))
  click('Finish')
  await see(['Write ✓ of Ann', 'Read ✓ of Ann', 'New of Ann'])

  const before = requests.length
  click('Count again')
  await vi.waitFor(() => expect(requests.slice(before)).toEqual(['GET /todo?done=true']))
  await vi.waitFor(() => expect(texts('p')).toEqual(['2 done']))

  click('New')
  await vi.waitFor(() => expect(texts('h2')).toEqual(['New, Ann']))
  click('Write')
  await vi.waitFor(() => expect(texts('h2')).toEqual(['Write, Ann']))
  expect(requests.filter((line) => line.startsWith('POST'))).toEqual(['POST /todo'])
}
