import { setTimeout as delay } from 'node:timers/promises'
import { frameworks, ofTurn, type Framework } from '@selfsame/conformance/turn'
import { createServer, type DemoServer } from '@selfsame/demo-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { StartApplication } from '../server/application.js'
import { applicationSizes } from '../server/sizes.js'
import { pageSize } from '../src/api.js'
import { pictureFile } from './picture-file.js'
import { describeServerRendering } from './describe-server-rendering.js'
import { describeStrip } from './describe-strip.js'
import { describeTracker } from './describe-tracker.js'
import { Stage, desktop, settled, typeAtOnce, windows } from './stage.js'

interface Titled {
  readonly id: number
  readonly title: string
}

/** The public screens, and their headings. */
const screens = [
  ['/', 'Board'],
  ['/issues', 'Issues'],
  ['/people', 'People'],
  ['/journal', 'Journal'],
  ['/articles', 'Articles'],
  ['/feed', 'Feed'],
  ['/birthdays', 'Upcoming birthdays'],
  ['/gallery', 'Gallery'],
  ['/graphql', 'Articles by GraphQL'],
  ['/sign-in', 'Sign in'],
] as const

/** Screens that need no data, or whose data the first screen has loaded and the page has kept. */
const loaded: ReadonlySet<string> = new Set(['/sign-in', '/issues', '/people'])

/** The first request of each screen that may fail. */
const failing = [
  ['/', 'GET /issue', 'Todo'],
  ['/articles', 'GET /article', 'Articles'],
  ['/feed', 'GET /feed', 'Feed'],
  ['/birthdays', 'GET /api/birthdays/upcoming', 'Birthdays'],
  ['/gallery', 'GET /api/news', 'Pictures'],
  ['/graphql', 'POST /graphql', 'Articles by GraphQL'],
] as const

/**
 * Tests an application in Chromium, as its users do, with the real server: every screen of SCREENS.md, in a large and
 * a small window, with a slow and a failing network. A console message makes a test fail. The applications share their styles, so
 * a run that takes turns tries the small window, and what styles decide, in one of them.
 *
 * @param name - the name of the framework, as in the footer of each page
 */
export function describeApplication(name: Framework, start: StartApplication): void {
  const restUrl = useRestServer()
  const hasTurn = ofTurn(frameworks).includes(name)
  describe.each(hasTurn ? windows : [desktop])(`${name}: $name`, (window) => {
    let stage: Stage
    // The applications share their styles: what does not depend on the window is tried in both by one of them.
    const isTriedWhole = window.name === 'desktop' || name === 'React'
    const testAnywhere = isTriedWhole ? test : test.skip

    beforeAll(async () => {
      stage = await Stage.open(restUrl(), { name, start, window })
    })
    afterAll(() => stage?.close())
    beforeEach(() => stage.begin())
    afterEach(() => stage.end())

    testAnywhere('lists articles page by page, filters and searches them', async () => {
      const { page, rest } = stage
      await stage.visit('/articles', 'Articles')
      const rows = stage.list('Articles').getByRole('listitem')
      await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(pageSize)
      await rows.first().getByRole('link').waitFor()
      const newest = await newestTitle()
      expect(await rows.first().getByRole('link').textContent()).toBe(newest)
      await expect
        .poll(async () => {
          await page.mouse.wheel(0, 4000)
          return stage.main.getByText('That is all.').count()
        })
        .toBe(1)
      expect(await rows.count()).toBe(60)

      await stage.forgetRequests()
      await typeAtOnce(stage.main.getByRole('searchbox', { name: 'Search titles' }), newest)
      await expect.poll(() => rows.count()).toBe(1)
      expect(await settled(stage)).toEqual([`GET /article “${newest}”`])
      await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe(newest)

      await stage.main.getByRole('searchbox').fill('no such thing')
      await stage.main.getByText('No article matches “no such thing”.').waitFor()
      await stage.main.getByRole('searchbox').fill('')
      await expect.poll(() => rows.count()).toBeGreaterThan(1)

      const author = (await rest.get<readonly { id: number; name: string }[]>('/user'))[2]!
      const written = await rest.get<Titled[]>(`/article?sort=newest&author=${author.id}`)
      await stage.main.getByRole('combobox', { name: 'Author' }).selectOption(author.name)
      await expect.poll(() => new URL(page.url()).searchParams.get('author')).toBe(String(author.id))
      await expect
        .poll(() => rows.getByRole('link').allTextContents())
        .toEqual(written.slice(0, Math.max(pageSize, await rows.count())).map(({ title }) => title))
      await page.reload()
      await expect.poll(() => rows.first().getByRole('link').textContent()).toBe(written[0]?.title)
      await expect
        .poll(() =>
          stage.main
            .getByRole('combobox', { name: 'Author' })
            .evaluate((select) => (select as unknown as HTMLSelectElement).selectedOptions[0]?.text),
        )
        .toBe(author.name)
    })

    testAnywhere('aborts a search that is not wanted any more', async () => {
      const aborted: string[] = []
      stage.page.on('requestfailed', (request) =>
        aborted.push(new URL(request.url()).searchParams.get('q') ?? ''),
      )
      await stage.visit('/articles', 'Articles')
      const newest = await newestTitle()
      await stage.list('Articles').getByRole('listitem').first().waitFor()
      const release = await stage.hold('GET', /[?&]q=night/)
      const asked = stage.page.waitForRequest(/[?&]q=night/)
      await stage.main.getByRole('searchbox').fill('night')
      await asked
      await expect.poll(() => stage.list('Articles').getAttribute('aria-busy')).toBe('true')
      await stage.main.getByRole('searchbox').fill(newest)
      await expect.poll(() => stage.list('Articles').getByRole('listitem').count()).toBe(1)
      expect(await stage.list('Articles').getByRole('link').textContent()).toBe(newest)
      expect(aborted).toContain('night')
      release()
    })

    testAnywhere(
      'shows an article that was prefetched, its comments, and how often it is viewed',
      async () => {
        await stage.visit('/articles', 'Articles')
        const link = stage.list('Articles').getByRole('link').first()
        const title = (await link.textContent()) ?? ''
        const id = Number((await link.getAttribute('href'))?.split('/').at(-1))
        await stage.forgetRequests()
        await link.focus()
        await expect.poll(() => settled(stage)).toEqual([`GET /article/${id}`])
        await link.click()
        await stage.heading(title)
        await stage.list('Comments').getByRole('listitem').first().waitFor()
        expect(await settled(stage)).toEqual([`GET /article/${id}`, 'GET /comments'])
        expect(await stage.page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
        await expect.poll(() => stage.page.title()).toBe(`${title} · Tracker`)

        const views = async () =>
          Number(((await stage.main.locator('.views').textContent()) ?? '').replace(/\D/g, ''))
        const { meta } = await stage.rest.get<{ meta: { viewCount: number } }>(`/article/${id}`)
        await expect.poll(views).toBe(meta.viewCount)
        await stage.rest.view(id)
        await expect.poll(views).toBe(meta.viewCount + 1)

        await stage.page.goBack()
        await stage.heading('Articles')
        await stage.list('Articles').getByRole('link', { name: title }).first().waitFor()
      },
    )

    testAnywhere('signs a user in by his token, and out without leaving anything behind', async () => {
      const { page, rest } = stage
      const user = await rest.get<{ name: string; email: string }>('/user/2')
      await stage.visit('/profile', 'Sign in to see this')
      await stage.link('Sign in').click()
      await stage.heading('Sign in')
      await stage.field('Token').fill('nobody')
      await stage.button('Sign in').click()
      await stage.main.getByRole('alert').getByText('No user has this token.').waitFor()
      stage.takeProvoked(/401/)
      expect(await stage.field('Token').inputValue()).toBe('nobody')
      await stage.field('Token').fill('user-2')
      await page.keyboard.press('Enter')
      await stage.heading('Profile')
      await stage.banner.getByRole('link', { name: user.name }).waitFor()
      await stage.main.getByText(user.email).waitFor()

      await page.reload()
      await stage.heading('Profile')
      await stage.banner.getByRole('button', { name: 'Sign out' }).click()
      await stage.heading('Sign in')
      expect(await stage.cookies()).toEqual([])
      const names = await page.evaluate(() => Object.keys({ ...localStorage, ...sessionStorage }))
      // The marks of what ended name no user.
      expect(names.filter((name) => !name.startsWith('selfsame.end/'))).toEqual([])
      expect(await page.content()).not.toContain(user.name)
      await page.goBack()
      await stage.heading('Sign in to see this')
      expect(await page.content()).not.toContain(user.email)
    })

    testAnywhere('shows an edit at once, and takes it back where it fails', async () => {
      const [article] = await stage.rest.get<Titled[]>('/article?sort=newest&limit=1')
      const { id, title } = article!
      await stage.signIn()
      await stage.visit(`/articles/${id}`, title)
      await stage.link('Edit').click()
      await stage.heading(`Edit: ${title}`)
      await stage.rest.turnKnob({ route: 'PATCH /article/:id', status: 503, times: 1 })
      const fail = await stage.hold('PATCH', /\/article\/\d+/)
      await stage.field('Title').fill('A better title')
      await stage.button('Save').click()
      await stage.heading('Edit: A better title')
      expect(await stage.button('Saving…').getAttribute('aria-disabled')).toBe('true')
      fail()
      await stage.main.getByRole('alert').getByText('Not saved').waitFor()
      stage.takeProvoked(/503/)
      await stage.heading(`Edit: ${title}`)
      await stage.main.getByRole('alert').getByText('The article is unchanged.').waitFor()
      expect(await stage.field('Title').inputValue()).toBe('A better title')
      await stage.picture('edit-failed')

      const succeed = await stage.hold('PATCH', /\/article\/\d+/)
      await stage.field('Text').fill('One.\n\nTwo.')
      await stage.button('Save').click()
      await stage.heading('Edit: A better title')
      expect((await stage.rest.get<Titled>(`/article/${id}`)).title).toBe(title)
      succeed()
      await stage.heading('A better title')
      await stage.notice('Saved.')
      await stage.main.getByText('Two.', { exact: true }).waitFor()
      await stage.navigate('Articles')
      await stage.link('A better title').waitFor()
    })

    testAnywhere('creates, comments on and deletes an article', async () => {
      const { page } = stage
      const user = await stage.rest.get<{ name: string }>('/user/1')
      await stage.signIn()
      await stage.visit('/articles', 'Articles')
      await stage.link('New article').click()
      await stage.heading('New article')
      await stage.field('Title').fill('Written just now')
      await stage.field('Text').fill('Some text.')
      await stage.button('Create').click()
      await stage.heading('Written just now')
      await stage.notice('Created.')
      await stage.main.getByText('No comments yet.').waitFor()
      await stage.main.getByText(user.name).first().waitFor()

      await stage.field('Comment').fill('Well said.')
      await stage.button('Send').click()
      await stage.list('Comments').getByText('Well said.').waitFor()
      await expect.poll(() => stage.field('Comment').inputValue()).toBe('')
      expect(await stage.list('Comments').getByText(user.name).count()).toBe(1)
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')

      await stage.navigate('Articles')
      await expect
        .poll(() => stage.list('Articles').getByRole('link').first().textContent())
        .toBe('Written just now')
      await stage.link('Written just now').click()
      await stage.heading('Written just now')

      const dialog = page.getByRole('dialog', { name: 'Delete this article?' })
      await stage.button('Delete').click()
      await dialog.waitFor()
      expect(await stage.axe()).toEqual([])
      await stage.picture('delete')
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Delete')
      await stage.rest.turnKnob({ route: 'DELETE /article/:id', status: 503, times: 1 })
      await stage.button('Delete').click()
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await dialog.getByRole('alert').waitFor()
      stage.takeProvoked(/503/)
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await stage.heading('Articles')
      await stage.notice('Deleted.')
      await stage.list('Articles').getByRole('listitem').first().waitFor()
      expect(await stage.link('Written just now').count()).toBe(0)
    })

    testAnywhere('shows a feed of links and posts, page by page', async () => {
      await stage.visit('/feed', 'Feed')
      const rows = stage.list('Feed').getByRole('listitem')
      await expect.poll(() => rows.count()).toBe(10)
      expect(await rows.getByText('Link', { exact: true }).count()).toBeGreaterThan(0)
      expect(await rows.getByText('Post', { exact: true }).count()).toBeGreaterThan(0)
      for (const count of [20, 30, 40, 45]) {
        await stage.button('Show more').click()
        await expect.poll(() => rows.count()).toBe(count)
      }
      await stage.main.getByText('That is all.').waitFor()
      expect(await stage.button('Show more').count()).toBe(0)
    })

    testAnywhere(
      'joins birthdays with their users, and shows another number of days without a request',
      async () => {
        await stage.visit('/birthdays', 'Upcoming birthdays')
        const rows = stage.list('Birthdays').getByRole('listitem')
        await rows.first().waitFor()
        const week = await rows.count()
        expect(await rows.first().textContent()).toContain('@example.com')
        await stage.forgetRequests()
        await stage.main.getByRole('radio', { name: '30 days' }).check()
        await expect.poll(() => rows.count()).toBeGreaterThan(week)
        expect(await settled(stage)).toEqual([])
      },
    )

    testAnywhere('shows pictures once they are decoded', async () => {
      // The font and the pictures come late, as on a busy machine.
      await stage.page.route(/woff2/, (route) => delay(500).then(() => route.continue()))
      const release = await stage.hold('GET', /\/images\/news-/)
      await stage.visit('/gallery', 'Gallery')
      const loading = stage.main.getByRole('status', { name: 'Loading' })
      await expect.poll(() => loading.count()).toBe(9)
      expect(await stage.main.getByRole('img').count()).toBe(0)
      release()
      const images = stage.list('Pictures').getByRole('img')
      await expect.poll(() => images.count()).toBe(9)
      expect(
        await images.evaluateAll((all) =>
          all.every((image) => (image as unknown as HTMLImageElement).naturalWidth > 0),
        ),
      ).toBe(true)
      expect(await loading.count()).toBe(0)
      await stage.page.evaluate(() => document.fonts.ready)
      expect(await stage.shift()).toBe(0)
    })

    testAnywhere('uploads an avatar with its progress, which may be cancelled', async () => {
      const { page } = stage
      const user = await stage.rest.get<{ name: string }>('/user/1')
      await stage.signIn()
      await stage.visit('/profile', 'Profile')
      const picture = stage.main.getByRole('img', { name: `Picture of ${user.name}` })
      await picture.waitFor()
      expect(await stage.button('Upload').getAttribute('aria-disabled')).toBe('true')
      const network = await page.context().newCDPSession(page)
      const throttle = (uploadThroughput: number) =>
        network.send('Network.emulateNetworkConditions', {
          offline: false,
          latency: 0,
          downloadThroughput: -1,
          uploadThroughput,
        })
      await network.send('Network.enable')
      await throttle(100_000)
      // Delays the response: once the whole picture has arrived, it is stored even if Cancel is clicked.
      await stage.rest.turnKnob({ route: 'PUT /user/:id/avatar', delayMs: 10_000, times: 1 })
      await stage.main.getByLabel('Choose a picture').setInputFiles(pictureFile(600_000))
      await stage.button('Upload').click()
      const bar = stage.main.getByRole('progressbar', { name: 'Upload' })
      await expect
        .poll(() => bar.evaluate((element) => (element as unknown as HTMLProgressElement).position))
        .toBeGreaterThan(0)
      await stage.button('Cancel').click()
      await bar.waitFor({ state: 'detached' })
      expect(await stage.main.getByRole('alert').count()).toBe(0)

      await throttle(-1)
      await stage.rest.turnKnob({ route: 'PUT /user/:id/avatar', delayMs: 200, status: 503, times: 1 })
      await stage.button('Upload').click()
      await stage.main.getByRole('alert').waitFor()
      stage.takeProvoked(/503/)
      await stage.forgetRequests()
      await stage.button('Upload').click()
      await stage.main.getByText('Your picture was updated.').waitFor()
      await expect.poll(() => picture.getAttribute('src')).toMatch(/\/images\/avatars\/1\/1$/)
      expect(await stage.banner.locator('img').getAttribute('src')).toBe(await picture.getAttribute('src'))
      expect(await settled(stage)).toEqual(['PUT /user/1/avatar'])
      expect(await stage.axe()).toEqual([])
      await stage.picture('profile')
    })

    testAnywhere('has one record of an article, by GraphQL and by REST', async () => {
      const [article] = await stage.rest.get<Titled[]>('/article?limit=1')
      const title = article!.title
      await stage.visit(`/articles?q=${encodeURIComponent(title)}`, 'Articles')
      await stage.link(title).first().waitFor()
      await stage.navigate('Journal')
      await stage.link('By GraphQL').click()
      await stage.heading('Articles by GraphQL')
      // What comes to lie under the pointer would be prefetched.
      await stage.page.mouse.move(0, 0)
      const field = stage.field(`New title of ${title}`)
      await field.fill('Renamed by GraphQL')
      await stage.forgetRequests()
      await field.press('Enter')
      await stage.list('Articles by GraphQL').getByRole('link', { name: 'Renamed by GraphQL' }).waitFor()
      await stage.page.goBack()
      await stage.heading('Journal')
      await stage.page.goBack()
      await stage.heading('Articles')
      await stage.link('Renamed by GraphQL').waitFor()
      expect(await settled(stage)).toEqual(['POST /graphql'])
    })

    testAnywhere('shows what failed in a user’s words, and tries again', async () => {
      await stage.visit('/sign-in', 'Sign in')
      for (const [path, route, list] of failing) {
        await stage.rest.turnKnob({ route, status: 503, times: 1 })
        await stage.goto(path)
        const problem = stage.main.getByRole('alert')
        await problem.getByRole('heading', { name: 'The server has a problem' }).waitFor()
        await problem.getByText('For developers').waitFor()
        expect(await problem.getByText('503').first().isVisible()).toBe(false)
        await problem.getByRole('button', { name: 'Try again' }).click()
        await stage.list(list).getByRole('listitem').first().waitFor()
        expect(await problem.count()).toBe(0)
        stage.takeProvoked(/503/)
      }
      await stage.goto('/articles/9999')
      await stage.main.getByRole('heading', { name: 'Not found' }).waitFor()
      expect(await stage.button('Try again').count()).toBe(0)
      await stage.link('All articles').click()
      await stage.heading('Articles')
      stage.takeProvoked(/404/)
      await stage.visit('/no/such/screen', 'Page not found')
      await stage.link('All articles').waitFor()
    })

    test.runIf(hasTurn)('holds the place of what is loading, so that nothing moves', async () => {
      await stage.rest.turnKnob({ route: '/*', delayMs: 600 })
      const [article] = await stage.rest.get<Titled[]>('/article?sort=newest&limit=1')
      const records = [
        ['/issues/19', 'Chart stays blank after the phone wakes up'],
        [`/articles/${article!.id}`, article!.title],
      ] as const
      for (const [path, heading] of [...screens, ...records]) {
        await stage.goto(path)
        if (!loaded.has(path)) await stage.main.getByRole('status', { name: 'Loading' }).first().waitFor()
        await stage.heading(heading)
        await expect
          .poll(() => stage.main.getByRole('status', { name: 'Loading' }).count(), { timeout: 10_000 })
          .toBe(0)
        expect([path, await stage.shift()]).toEqual([path, 0])
      }
    })

    testAnywhere('goes back to where it was, marks where it is, and asks for nothing twice', async () => {
      const { page } = stage
      await stage.visit('/sign-in', 'Sign in')
      await stage.forgetRequests()
      await stage.navigate('Articles')
      const links = stage.list('Articles').getByRole('link')
      await links.first().waitFor()
      expect((await settled(stage)).toSorted()).toEqual(['GET /article', 'GET /user'])

      await links.nth(pageSize - 1).scrollIntoViewIfNeeded()
      await expect.poll(() => links.count()).toBeGreaterThan(pageSize)
      await settled(stage)
      const link = links.nth(pageSize)
      await link.focus()
      await settled(stage)
      const position = await page.evaluate(() => scrollY)
      expect(position).toBeGreaterThan(200)
      const title = (await link.textContent()) ?? ''
      await stage.forgetRequests()
      await page.keyboard.press('Enter')
      await stage.heading(title)
      expect(await stage.banner.locator('[aria-current=page]').textContent()).toMatch(/^\s*Articles\s*$/)
      expect((await settled(stage)).filter((request) => !/comments|views/.test(request))).toEqual([])
      await page.goBack()
      await stage.heading('Articles')
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(position)
    })

    test.runIf(hasTurn && window.name === 'desktop')(
      'keeps the height of its banner on a tablet',
      async () => {
        await stage.signIn()
        await stage.page.setViewportSize({ ...window.viewport, width: 768 })
        const heights = new Set<number | undefined>()
        for (const [path, heading] of [...screens, ['/nowhere', 'Page not found']] as const) {
          await stage.visit(path, heading)
          heights.add(await bannerHeight())
          await expect.poll(() => stage.page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
          heights.add(await bannerHeight())
        }
        expect(heights.size).toBe(1)
        await footerIsInView()
      },
    )

    testAnywhere('says that it is offline, and still shows what it has', async () => {
      await stage.visit('/articles', 'Articles')
      await stage.list('Articles').getByRole('link').first().waitFor()
      await stage.navigate('Feed')
      await stage.list('Feed').getByRole('listitem').first().waitFor()
      await stage.setOffline(true)
      try {
        await stage.page.getByText('You are offline. You can still read what has loaded.').waitFor()
        await stage.navigate('Articles')
        await stage.list('Articles').getByRole('link').first().waitFor()
        await stage.picture('offline')
        // A screen without data: its request waits for the network and does not fail.
        await stage.navigate('Journal')
        await stage.link('Upcoming birthdays').click()
        await stage.heading('Upcoming birthdays')
        await stage.main.getByRole('status', { name: 'Loading' }).waitFor()
      } finally {
        await stage.setOffline(false)
      }
      await stage.list('Birthdays').getByRole('listitem').first().waitFor()
      expect(await stage.page.getByText('You are offline.').count()).toBe(0)
      stage.takeProvoked(/ERR_INTERNET_DISCONNECTED/)
    })

    test.runIf(hasTurn)(
      'has no fault that axe knows, fits its window, keeps its banner’s height, and names itself',
      async () => {
        const heights = new Set<number | undefined>()
        await stage.signIn()
        const [article] = await stage.rest.get<Titled[]>('/article?sort=newest&limit=1')
        const { id, title } = article!
        const more = [
          ['/issues/19', 'Chart stays blank after the phone wakes up'],
          [`/articles/${id}`, title],
          [`/articles/${id}/edit`, `Edit: ${title}`],
          ['/articles/new', 'New article'],
          ['/profile', 'Profile'],
          ['/nowhere', 'Page not found'],
        ] as const
        for (const [path, heading] of [...screens, ...more]) {
          await stage.visit(path, heading)
          heights.add(await bannerHeight())
          await expect.poll(() => stage.page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
          heights.add(await bannerHeight())
          if (isTriedWhole) expect([path, await stage.axe()]).toEqual([path, []])
          expect([path, await stage.overflows()]).toEqual([path, false])
          expect(await stage.page.title()).toBe(`${heading} · Tracker`)
          await stage.picture(path.slice(1).replaceAll('/', '-') || 'home')
        }
        expect(heights.size).toBe(1)
        // The last screen is short.
        await footerIsInView()
        await stage.page.getByRole('contentinfo').getByText(`Written with ${name}.`).waitFor()
        await stage.page.keyboard.press('Tab')
        await stage.page.keyboard.press('Enter')
        expect(await stage.page.evaluate(() => location.hash)).toBe('#content')
      },
    )

    describeTracker(() => stage, window)

    async function bannerHeight(): Promise<number | undefined> {
      return (await stage.banner.boundingBox())?.height
    }

    async function footerIsInView(): Promise<void> {
      const footer = await stage.page.getByRole('contentinfo').boundingBox()
      const strip = await stage.page.locator('activity-strip').boundingBox()
      expect(Math.round((footer?.y ?? 0) + (footer?.height ?? 0))).toBe(Math.round(strip?.y ?? 0))
      expect(Math.round((strip?.y ?? 0) + (strip?.height ?? 0))).toBe(window.viewport.height)
    }

    async function newestTitle(): Promise<string> {
      const [newest] = await stage.rest.get<Titled[]>('/article?sort=newest&limit=1')
      await stage.forgetRequests()
      return newest?.title ?? ''
    }
  })

  describeStrip(name, start, restUrl, hasTurn)
  describeServerRendering(name, start, restUrl)
}

/** Starts a REST server for a file: files run side by side, and each test needs the records as they were seeded. */
function useRestServer(): () => string {
  let server: DemoServer | undefined
  beforeAll(async () => {
    server = await createServer({ sizes: applicationSizes })
  })
  afterAll(() => server?.close())
  return () => server!.url
}
