import { expect } from 'vitest'
import { todoFields } from '../fixtures.js'
import { scenario, shown } from '../suite.js'

scenario(
  'bug',
  'a todo that is renamed is renamed in the list',
  async ({ api, controller, mount, server, settle }) => {
    server.route('GET /todo', [todoFields(5)])
    const list = await mount('useSuspense', api.todo.getList)
    await settle()
    await controller.fetch(api.todo.partialUpdate, { id: 5 }, { title: 'Other' })
    await settle()
    expect(shown(list)).toMatchObject([{ id: 5, title: 'Other' }])
  },
)
