import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright'

/**
 * Returns what axe finds on a page, by rule and element. It describes only what breaks a rule, in the page itself: that takes a
 * quarter of the time of its defaults, which describe all that is right too, and put the results together in a second page.
 *
 * @param part - the selector of what to look at @default the whole page
 */
export async function violationsOf(page: Page, part?: string): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await (part === undefined ? axe : axe.include(part)).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
