import { expect, test } from 'vitest'
import { Controller, Endpoint, debounced } from '../index.js'
import type { FetchContext, TransportInit } from '../index.js'
import { GQLEndpoint } from '../graphql.js'
import { BlobEndpoint, ObjectUrlEndpoint, fetchByXhr, fetchWithProgress } from '../media.js'
import { RestEndpoint } from '../rest.js'

/** A Controller with a transport that logs its calls. */
function createStage() {
  const sent: string[] = []
  const controller = new Controller({
    fetch: function (this: unknown, url, init) {
      sent.push(`${init?.method ?? 'GET'} ${String(url)}`)
      // The `fetch` of a browser demands this.
      expect(this).toBeUndefined()
      return Promise.resolve(Response.json({ data: { id: 1 }, id: 1 }))
    },
  })
  return { controller, sent }
}

const urlPrefix = 'https://api.test'

test('every kind of endpoint sends its requests through the fetch of its Controller', async () => {
  const { controller, sent } = createStage()
  const get = new RestEndpoint({ urlPrefix, path: '/note/:id' })
  const add = new RestEndpoint({ urlPrefix, path: '/note', method: 'POST' })
  const gql = new GQLEndpoint(`${urlPrefix}/graphql`)
  const file = new BlobEndpoint({ urlPrefix, path: '/file', fetchResponse: fetchWithProgress })
  const url = new ObjectUrlEndpoint({ urlPrefix, path: '/image', fetchResponse: fetchByXhr })
  await controller.fetch(get, { id: 1 })
  await controller.fetch(debounced(get, { delayMs: 0 }), { id: 2 })
  await controller.fetch(add, { text: 'x' })
  await controller.fetch(gql.query('query { note { id } }'))
  await controller.fetch(file)
  await controller.fetch(url)
  const own = new Endpoint(
    async function (this: FetchContext, id: number): Promise<unknown> {
      const { transport = fetch } = this
      return (await transport(`${urlPrefix}/own/${id}`)).json()
    },
    { name: 'own' },
  )
  await controller.fetch(own, 3)
  await controller.fetch(own.extend({ sideEffect: true }), 4)
  expect(sent).toEqual(
    [
      'GET /note/1',
      'GET /note/2',
      'POST /note',
      'POST /graphql',
      'GET /file',
      'GET /image',
      'GET /own/3',
      'GET /own/4',
    ].map((name) => name.replace(' ', ` ${urlPrefix}`)),
  )
  controller.dispose()
})

test('an override of fetchResponse keeps it, also where it spreads the init', async () => {
  const { controller, sent } = createStage()
  class Signed extends RestEndpoint {
    override fetchResponse(url: string, init: RequestInit) {
      return super.fetchResponse(`${url}?signed`, { ...init, credentials: 'include' })
    }
  }
  await controller.fetch(new Signed({ urlPrefix, path: '/note' }))
  expect(sent).toEqual([`GET ${urlPrefix}/note?signed`])
})

test('two Controllers at once each use their own, and an endpoint that is called alone uses none', async () => {
  const get = new RestEndpoint({ urlPrefix, path: '/me' })
  const as = (user: string) =>
    new Controller({ fetch: () => Promise.resolve(Response.json({ user })) }).fetch(get)
  expect(await Promise.all([as('Ann'), as('Bob')])).toEqual([{ user: 'Ann' }, { user: 'Bob' }])
  const inits: TransportInit[] = []
  const alone = get.extend({
    fetchResponse: (_url: string, init: TransportInit) => {
      inits.push(init)
      return Promise.resolve(Response.json({}))
    },
  })
  await alone()
  await new Controller().fetch(alone)
  expect(inits.map((init) => 'transport' in init)).toEqual([false, false])
})
