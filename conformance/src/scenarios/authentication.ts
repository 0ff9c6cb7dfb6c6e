import { hookifyResource } from '@selfsame/core/rest'
import type { RestOptions } from '@selfsame/core/rest'
import { RestEndpoint } from '@selfsame/core/rest'
import { expect } from 'vitest'
import type { Reader } from '../contract.js'
import { User, todoFields, userFields } from '../fixtures.js'
import { baseUrl, reply } from '../server.js'
import type { Server, ServerRequest } from '../server.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

const route = 'GET /todo/5'

/** Responds with the title of the user whose token was sent. */
function routeByToken(server: Server): void {
  server.route(route, ({ headers }: ServerRequest) =>
    todoFields(5, { title: `of ${headers.get('Access-Token') ?? 'nobody'}` }),
  )
}

/** An endpoint that sends the page's cookies to the scripted server. */
function createCurrentUser(server: Server) {
  class CookieEndpoint<const Options extends RestOptions> extends RestEndpoint<Options> {
    override fetchResponse(url: string, init: RequestInit): Promise<Response> {
      return server.fetch(url, init)
    }
    override async getRequestInit(body?: unknown): Promise<RequestInit> {
      return { ...(await super.getRequestInit(body)), credentials: 'same-origin' }
    }
  }
  return new CookieEndpoint({ urlPrefix: baseUrl, path: '/current_user/', schema: User })
}

scenario(
  '5/rule 2',
  'an endpoint of a hook sends the header that useInit gives, as it is when the request is made',
  async ({ api, controller, mount, server, settle }) => {
    routeByToken(server)
    let token = 'ada'
    const { useGet } = hookifyResource(api.todo, () => () => ({ headers: { 'Access-Token': token } }))
    const endpoint = useGet()
    const reader = await mount('useSuspense', endpoint, { id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'of ada' })
    token = 'ben'
    controller.invalidate(api.todo.get, { id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'of ben' })
    expect(server.requests).toEqual([route, route])
  },
)

scenario(
  'E16',
  'init made anew with each render is the same endpoint, and causes no request',
  async ({ api, mount, server, settle }) => {
    routeByToken(server)
    const { useGet } = hookifyResource(api.todo, () => ({ headers: { 'Access-Token': 'ada' } }))
    const endpoint = useGet()
    const reader = await mount('useSuspense', endpoint, { id: 5 })
    await settle()
    const data = shown(reader)
    expect(useGet()).toBe(endpoint)
    await reader.changeEndpoint(useGet(), { id: 5 })
    await settle()
    expect(shown(reader)).toBe(data)
    expect(server.requests).toEqual([route])
  },
)

/** Answers the newest request, then all others: the reader shows the next user, and stays with him. */
async function expectBen({ server, settle }: Stage, reader: Reader): Promise<void> {
  server.releaseOne(route, 'last')
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'of ben' })
  server.release()
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'of ben' })
}

scenario.onReact18(
  'E16/users',
  'after resetAll the answer to the last user is not shown to the next',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    routeByToken(server)
    let token = 'ada'
    const { useGet } = hookifyResource(api.todo, () => ({ headers: { 'Access-Token': token } }))
    server.hold(route)
    const reader = await mount('useSuspense', useGet(), { id: 5 })
    await settle()
    token = 'ben'
    controller.resetAll()
    await reader.changeEndpoint(useGet(), { id: 5 })
    await settle()
    await expectBen(stage, reader)
  },
)

for (const when of ['a moment later', 'at once']) {
  scenario(
    `E16/users/shown, ${when}`,
    'a reader that showed the last user asks for the next one after resetAll, and shows nothing of the last',
    async (stage) => {
      const { api, controller, mount, server, settle } = stage
      routeByToken(server)
      let token = 'ada'
      const { useGet } = hookifyResource(api.todo, () => ({ headers: { 'Access-Token': token } }))
      const reader = await mount('useSuspense', useGet(), { id: 5 })
      await settle()
      expect(shown(reader)).toMatchObject({ title: 'of ada' })
      server.hold(route)
      token = 'ben'
      controller.resetAll()
      if (when !== 'at once') await settle()
      await reader.changeEndpoint(useGet(), { id: 5 })
      await settle()
      await expectBen(stage, reader)
    },
  )
}

scenario(
  '5/rule 4',
  'useCache of the current user tells whether somebody is logged in',
  async ({ controller, mount, server, settle }) => {
    const currentUser = createCurrentUser(server)
    let hasSession = true
    let credentials: unknown
    server.route('GET /current_user/', (request: ServerRequest) => {
      credentials = request.credentials
      return hasSession ? userFields(1) : reply.status(401)
    })
    const reader = await mount('useCache', currentUser)
    await settle()
    expect(shown(reader)).toBeUndefined()
    expect(server.requests).toEqual([])
    await controller.fetch(currentUser)
    await settle()
    expect(credentials).toBe('same-origin')
    expect(shown(reader)).toMatchObject({ name: 'User 1' })
    hasSession = false
    controller.resetAll()
    await settle()
    expect(shown(reader)).toBeUndefined()
    await expect(controller.fetch(currentUser)).rejects.toMatchObject({ status: 401 })
    await settle()
    expect(shown(reader)).toBeUndefined()
  },
)
