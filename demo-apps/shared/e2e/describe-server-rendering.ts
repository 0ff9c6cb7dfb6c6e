import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { StartApplication } from '../server/application.js'
import { Stage, desktop, settled } from './stage.js'

/** Tests an application whose pages are rendered on the server. */
export function describeServerRendering(name: string, start: StartApplication, restUrl: () => string): void {
  describe(`${name}: rendered on the server`, () => {
    let stage: Stage

    beforeAll(async () => {
      stage = await Stage.open(restUrl(), { name, start, window: desktop, isServerRendered: true })
    })
    afterAll(() => stage?.close())
    beforeEach(() => stage.begin())
    afterEach(() => stage.end())

    test('has its data in the page, and is hydrated without a request', async () => {
      await stage.signIn(2)
      const user = await stage.rest.get<{ name: string }>('/user/2')
      const [article] = await stage.rest.get<{ id: number; title: string }[]>('/article?sort=newest&limit=1')
      const { id, title } = article!
      const [comment] = (await stage.rest.get<{ data: { body: string }[] }>(`/comments?postId=${id}`)).data
      for (const [path, heading, text] of [
        ['/', 'Board', 'Anchor alarm does not ring while music plays'],
        ['/issues?state=done', 'Issues', 'Invite the crew by a link'],
        ['/issues/19', 'Chart stays blank after the phone wakes up', 'moved this from Todo to In progress'],
        ['/people', 'People', 'open issues'],
        ['/articles', 'Articles', title],
        [`/articles/${id}`, title, comment!.body],
        ['/feed', 'Feed', 'Post'],
        ['/birthdays', 'Upcoming birthdays', '@example.com'],
        ['/graphql', 'Articles by GraphQL', 'Rename'],
        ['/profile', 'Profile', '@example.com'],
      ] as const) {
        await stage.forgetRequests()
        const html = await (await stage.page.goto(stage.urlOf(path)))!.text()
        expect(html).toContain(text)
        expect(html).toContain(user.name)
        expect(html).toContain(`${heading} · Tracker`)
        const asked = await stage.requests()
        await stage.heading(heading)
        await stage.isHydrated()
        expect([path, await settled(stage)]).toEqual([path, asked])
        expect(new Set(asked).size).toBe(asked.length)
      }
    })

    test('answers 404 for what is not there, and shows the error of a call that failed', async () => {
      expect((await fetch(stage.urlOf('/no/such/screen'))).status).toBe(404)
      expect((await fetch(stage.urlOf('/articles/9999'))).status).toBe(404)
      await stage.rest.turnKnob({ route: 'GET /feed', status: 503, times: 1 })
      await stage.goto('/feed')
      await stage.main.getByRole('heading', { name: 'The server has a problem' }).waitFor()
      await stage.isHydrated()
      await stage.button('Try again').click()
      await stage.list('Feed').getByRole('listitem').first().waitFor()
    })

    test('works as the page that is not: navigation, search and sign-out', async () => {
      await stage.signIn(2)
      const user = await stage.rest.get<{ name: string }>('/user/2')
      await stage.visit('/articles', 'Articles')
      await stage.isHydrated()
      const [newest] = await stage.rest.get<{ title: string }[]>('/article?sort=newest&limit=1')
      await stage.main.getByRole('searchbox').fill(newest!.title)
      await expect.poll(() => stage.list('Articles').getByRole('listitem').count()).toBe(1)
      await stage.navigate('Feed')
      const asked: string[] = []
      stage.page.on('request', (request) => asked.push(request.url()))
      await stage.banner.getByRole('button', { name: 'Sign out' }).click()
      await stage.heading('Sign in')
      await stage.banner.getByRole('link', { name: 'Sign in' }).waitFor()
      expect(await stage.page.locator('#app').textContent()).not.toContain(user.name)
      // After the sign-out, no request fetches the user.
      expect(asked.filter((url) => url.includes('current_user'))).toEqual([])
    })
  })
}
