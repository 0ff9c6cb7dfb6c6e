import { hookifyResource } from '@selfsame/core/rest'
import type { ServerRequest } from '@selfsame/conformance'
import { StrictMode, createContext, use } from 'react'
import { expect, test } from 'vitest'
import { actAlone, createStage, forbidConsole, openPage, settle } from '../test-app.js'
import { AsyncBoundary, DataProvider, useController, useSuspense } from './index.js'

const route = 'GET /todo/5'
const Token = createContext('')

test('an endpoint of a hook sends the token of the context, and is the same in each render', async () => {
  forbidConsole()
  const { api, controller, server } = createStage()
  server.route(route, ({ headers }: ServerRequest) => ({ id: 5, title: `of ${headers.get('Access-Token')}` }))
  const { useGet, usePartialUpdate } = hookifyResource(api.todo, () => ({
    headers: { 'Access-Token': use(Token) },
  }))
  const endpoints = new Set<unknown>()
  const updates: (() => Promise<unknown>)[] = []
  function Title() {
    const get = useGet()
    const partialUpdate = usePartialUpdate()
    const ours = useController()
    endpoints.add(get)
    updates.push(() => ours.fetch(partialUpdate, { id: 5 }, { completed: true }))
    return useSuspense(get, { id: 5 }).title
  }
  const app = (token: string) => (
    <StrictMode>
      <DataProvider controller={controller}>
        <Token value={token}>
          <AsyncBoundary fallback="…">
            <Title />
          </AsyncBoundary>
        </Token>
      </DataProvider>
    </StrictMode>
  )
  const page = await openPage(app('ada'))
  await settle()
  await page.render(app('ada'))
  expect(page.text).toBe('of ada')
  expect(endpoints.size).toBe(1)
  expect(server.requests).toEqual([route])
  let sent: string | null = null
  server.route('PATCH /todo/5', ({ headers }: ServerRequest) => {
    sent = headers.get('Access-Token')
    return { id: 5, completed: true }
  })
  await actAlone(() => updates.at(-1)?.())
  expect(sent).toBe('ada')

  // The next user: the new token alone sends no request, the reset does.
  await page.render(app('ben'))
  expect(endpoints.size).toBe(2)
  expect(server.requests).toEqual([route, 'PATCH /todo/5'])
  await actAlone(() => controller.resetAll())
  await settle()
  expect(page.text).toBe('of ben')
  expect(server.requests).toEqual([route, 'PATCH /todo/5', route])
})
