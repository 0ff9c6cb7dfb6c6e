import { Entity } from '@selfsame/core'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import type { RestOptions } from '@selfsame/core/rest'
import { optimistic } from '@selfsame/core/optimistic'
import { expect } from 'vitest'
import { baseUrl } from '../server.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

// A response with another primary key than the one in the address.

class Page extends Entity {
  slug = ''
  title = ''
  static override key = 'Page'
  override pk() {
    return this.slug
  }
}

/** A card is moved to another board. */
class Card extends Entity {
  board = 0
  place = 0
  title = ''
  static override key = 'Card'
  override pk() {
    return `${this.board}/${this.place}`
  }
}

function cardFields(board: number, place: number) {
  return { board, place, title: `Card ${place}` }
}

function resourcesOf({ server }: Stage) {
  class ScriptedEndpoint<const Options extends RestOptions> extends RestEndpoint<Options> {
    override fetchResponse(url: string, init: RequestInit) {
      return server.fetch(url, init)
    }
  }
  const common = { urlPrefix: baseUrl, Endpoint: ScriptedEndpoint, optimistic } as const
  return {
    pages: createResource({ ...common, path: '/page/:slug', schema: Page }),
    cards: createResource({ ...common, path: '/board/:board/card/:place', schema: Card }),
  }
}

for (const method of ['partialUpdate', 'update'] as const)
  scenario(
    `G4/renamed/${method}`,
    'what shows a record under its former primary key asks the server once',
    async (stage) => {
      const { controller, mount, server, settle } = stage
      const { pages } = resourcesOf(stage)
      const name = method === 'update' ? 'PUT' : 'PATCH'
      server.route('GET /page', [
        { slug: 'a', title: 'A' },
        { slug: 'b', title: 'B' },
      ])
      const list = await mount('useSuspense', pages.getList)
      await settle()
      server.hold(`${name} /page/a`)
      server.route(`${name} /page/a`, { slug: 'c', title: 'A' })
      const renamed = controller.fetch(pages[method], { slug: 'a' }, { slug: 'c', title: 'A' })
      await settle()
      // Nothing shows a page of which only the new name is known.
      expect((shown(list) as readonly Page[]).map(({ slug }) => slug)).toEqual(['a', 'b'])
      server.route('GET /page', [
        { slug: 'b', title: 'B' },
        { slug: 'c', title: 'A' },
      ])
      server.release()
      expect(await renamed).toMatchObject({ slug: 'c' })
      await settle()
      expect((shown(list) as readonly Page[]).map(({ slug }) => slug)).toEqual(['b', 'c'])
      expect((shown(list) as readonly Page[])[1]).toBe(controller.get(Page, { slug: 'c' }))
      expect(controller.read(pages.get, { slug: 'a' }).status).toBe('Stale')
      expect(server.requests).toEqual(['GET /page', `${name} /page/a`, 'GET /page'])
    },
  )

scenario(
  'G4/renamed/two fields',
  'a record whose primary key names its list leaves that list',
  async (stage) => {
    const { controller, mount, server, settle } = stage
    const { cards } = resourcesOf(stage)
    server.route('GET /board/1/card', [cardFields(1, 1), cardFields(1, 2)])
    server.route('GET /board/2/card', [cardFields(2, 7)])
    const lists = [
      await mount('useSuspense', cards.getList, { board: 1 }),
      await mount('useSuspense', cards.getList, { board: 2 }),
    ]
    await settle()
    server.route('PATCH /board/1/card/1', cardFields(2, 1))
    server.route('GET /board/1/card', [cardFields(1, 2)])
    server.route('GET /board/2/card', [cardFields(2, 7), cardFields(2, 1)])
    await controller.fetch(cards.partialUpdate, { board: 1, place: 1 }, { board: 2 })
    await settle()
    const places = lists.map((list) => (shown(list) as readonly Card[]).map(({ place }) => place))
    expect(places).toEqual([[2], [7, 1]])
  },
)

scenario(
  'G4/renamed/copy',
  'a POST to a record that answers with another one asks for nothing',
  async (stage) => {
    const { controller, mount, server, settle } = stage
    const { pages } = resourcesOf(stage)
    const copy = pages.get.extend({ method: 'POST', path: '/page/:slug/copy' })
    server.route('GET /page/a', { slug: 'a', title: 'A' })
    server.route('POST /page/a/copy', { slug: 'a-2', title: 'A' })
    await mount('useSuspense', pages.get, { slug: 'a' })
    await settle()
    await controller.fetch(copy, { slug: 'a' })
    await settle()
    expect(controller.read(pages.get, { slug: 'a' }).status).toBe('Valid')
    expect(server.requests).toEqual(['GET /page/a', 'POST /page/a/copy'])
  },
)
