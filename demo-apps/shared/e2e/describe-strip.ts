import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { StartApplication } from '../server/application.js'
import { Stage, settled } from './stage.js'

const sizes = [
  { name: '1440', viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  { name: '768', viewport: { width: 768, height: 1024 }, colorScheme: 'light' },
  { name: '390', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
] as const

/**
 * Tests the strip below each screen, which tells what the library did last, and the panel that its button opens.
 *
 * @param isWhole - if false, in one size
 */
export function describeStrip(
  name: string,
  start: StartApplication,
  restUrl: () => string,
  isWhole: boolean,
): void {
  describe.each(isWhole ? sizes : [sizes[0]])(`${name}: the strip at $name`, (window) => {
    let stage: Stage

    beforeAll(async () => {
      stage = await Stage.open(restUrl(), { name, start, window })
    })
    afterAll(() => stage?.close())
    beforeEach(() => stage.begin())
    afterEach(() => stage.end())

    const strip = () => stage.page.locator('activity-strip')
    const said = async (text: RegExp) => {
      await expect.poll(() => strip().getByRole('status').textContent()).toMatch(text)
    }

    test('tells of requests, and of what the cache served', async () => {
      await stage.visit('/articles', 'Articles')
      await said(/^\d requests? .*(User\.getList|getPages)/)
      const link = stage.list('Articles').getByRole('link').first()
      const title = (await link.textContent()) ?? ''
      // In a high window the end of the list is in view, so the next page is asked for.
      await settled(stage)
      await link.click()
      // Its request was made when the pointer came, before the screen changes.
      await stage.heading(title)
      await said(/^\d requests? .*(Comment\.getList|Article\.get)/)
      // What is read while requests go on is told together with them.
      await settled(stage, 600)
      await stage.page.goBack()
      await said(/^Served from cache .*getPages.*No request\.$/)
    })

    test('does not say that a request failed which the user has left', async () => {
      const release = await stage.hold('GET', /[?&]cursor=/)
      const asked = stage.page.waitForRequest(/[?&]cursor=/)
      await stage.visit('/articles', 'Articles')
      const links = stage.list('Articles').getByRole('link')
      await links.last().scrollIntoViewIfNeeded()
      await stage.page.mouse.wheel(0, 4000)
      await asked
      await stage.navigate('Sign in')
      await said(/currentUser|cache|request/)
      release()
      expect(await strip().getByRole('status').textContent()).not.toContain('Failed')
    })

    test('covers neither the content nor the footer, has no fault that axe knows, and stays in the window', async () => {
      for (const [path, heading] of [
        ['/articles', 'Articles'],
        ['/sign-in', 'Sign in'],
      ] as const) {
        await stage.visit(path, heading)
        if (path === '/articles') await stage.list('Articles').getByRole('listitem').first().waitFor()
        await stage.page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
        const boxOf = (selector: string) => stage.page.locator(selector).boundingBox()
        const line = (await boxOf('activity-strip'))!
        const { height } = window.viewport
        expect(line.y + line.height).toBeCloseTo(height, 0)
        expect(line.height).toBeLessThanOrEqual(40)
        if (path === '/sign-in') {
          const footer = (await boxOf('footer'))!
          expect(footer.y + footer.height).toBeLessThanOrEqual(line.y + 1)
        }
        expect(await stage.overflows()).toBe(false)
        expect(await stage.axe()).toEqual([])
        await stage.picture(`strip${path.replace('/', '-')}`)
      }
    })

    test('opens the panel of its framework, whose code is loaded then, and which knows the first request', async () => {
      const scripts: string[] = []
      stage.page.on('request', (request) => scripts.push(new URL(request.url()).pathname))
      await stage.visit('/birthdays', 'Upcoming birthdays')
      await said(/^\d requests? /)
      const isOfPanel = (path: string) => /panel/i.test(path)
      expect(scripts.filter(isOfPanel)).toEqual([])
      await strip().getByRole('button', { name: 'Panel' }).click()
      const panel = stage.page.locator('selfsame-devtools .panel')
      await panel.locator('.row', { hasText: 'getBirthdays' }).click()
      await panel.locator('.detail').getByText('nothing was cached').first().waitFor()
      expect(scripts.filter(isOfPanel)).not.toEqual([])
      await stage.picture('strip-panel')
      await panel.getByRole('button', { name: 'Close the panel' }).click()
      // Its own button has the place of the other.
      await stage.page.getByRole('button', { name: 'Selfsame', exact: true }).click()
      await panel.waitFor()
    })
  })
}
