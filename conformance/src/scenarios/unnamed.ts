import { Endpoint } from '@selfsame/core'
import { expect } from 'vitest'
import { scenario, shown } from '../suite.js'

const route = 'GET /todo/5'

scenario.onReact18(
  'unnamed/anew',
  'an Endpoint without a name that is made anew in each render is one error, and no loop',
  async ({ api, mount, server, settle }) => {
    const make = () => new Endpoint(({ id }: { id: number }) => api.todo.get({ id }))
    server.hold(route)
    const reader = await mount('useDLE', make(), { id: 5 })
    for (let render = 0; render < 6; render++) {
      await reader.changeEndpoint(make(), { id: 5 })
      await settle()
    }
    expect(shown(reader)).toMatchObject({
      data: undefined,
      loading: false,
      error: { code: 'definition-invalid', message: expect.stringContaining('is created again each time') },
    })
    expect(server.requests).toEqual([route, route, route])
  },
)

scenario.onReact18(
  'unnamed/own calls',
  'two Endpoints without a name never read each other, and one of them shares its calls with itself',
  async ({ api, mount, server, settle }) => {
    const [first, second] = [5, 6].map((id) => new Endpoint(() => api.todo.get({ id })))
    for (const [endpoint, id] of [
      [first, 5],
      [second, 6],
      [first, 5],
    ] as const) {
      const reader = await mount('useSuspense', endpoint as Endpoint)
      await settle()
      expect(shown(reader)).toMatchObject({ id })
    }
    expect(server.requests).toEqual([route, 'GET /todo/6'])
  },
)
