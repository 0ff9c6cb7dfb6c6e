import { Entity, schema } from '@selfsame/core'
import type { Schema } from '@selfsame/core'
import { optimistic } from '@selfsame/core/optimistic'
import { createResource } from '@selfsame/core/rest'
import { rule } from '@selfsame/core/rules'
import { expect } from 'vitest'
import { baseUrl, reply } from '../server.js'
import type { ServerRequest } from '../server.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

// A list that is read by an argument which names a field with nested records, such as `?labels=3`.

class Label extends Entity {
  id = 0
  static override key = 'Label'
}

class Person extends Entity {
  id = 0
  type = 'person'
  static override key = 'Person'
}

class Bot extends Entity {
  id = 0
  type = 'bot'
  static override key = 'Bot'
}

const actor = new schema.Union({ person: Person, bot: Bot }, 'type')

/** A form of the field that an argument names. */
interface Form {
  /** The schema of the field; `'itself'` for a list of the records that have the field. */
  readonly field?: Schema | 'itself'
  /** @default 3 */
  readonly wanted?: string
  /** A value that the server finds by the argument. */
  readonly found: unknown
  readonly other: unknown
  /** `true` if argument and field are one value each, so that they tell what belongs to the list. @default false */
  readonly isSure?: boolean
}

const forms: Readonly<Record<string, Form>> = {
  'a list': { field: [Label], found: [{ id: 3 }, { id: 4 }], other: [{ id: 4 }, { id: 5 }] },
  'a map': {
    field: new schema.Values(Label),
    found: { first: { id: 3 }, second: { id: 4 } },
    other: { first: { id: 4 } },
  },
  'a list of a Union': {
    field: [actor],
    found: [
      { id: 3, type: 'person' },
      { id: 4, type: 'bot' },
    ],
    other: [{ id: 4, type: 'bot' }],
  },
  'a Collection': {
    field: new schema.Collection([Label]),
    found: [{ id: 3 }, { id: 4 }],
    other: [{ id: 4 }, { id: 5 }],
  },
  'an object': {
    field: { lead: Person, others: [Person] },
    found: { lead: { id: 3 }, others: [{ id: 4 }] },
    other: { lead: { id: 4 }, others: [] },
  },
  // Each of them refers back.
  'a cyclic list': {
    field: 'itself',
    found: [
      { id: 3, parent: 1 },
      { id: 4, parent: { id: 3 } },
    ],
    other: [{ id: 4, parent: { id: 4 } }],
  },
  'a list of texts': { wanted: 'b', found: ['a', 'b'], other: ['c'] },
  'a record': { field: Person, found: { id: 3 }, other: { id: 4 }, isSure: true },
  'a record of a Union': {
    field: actor,
    found: { id: 3, type: 'bot' },
    other: { id: 4, type: 'bot' },
    isSure: true,
  },
  'a boolean': { wanted: 'false', found: false, other: true, isSure: true },
}

interface Row {
  readonly id: number
  readonly title: string
  readonly about?: unknown
}

/** `true` if a value is the wanted one, or has it somewhere. */
function finds(value: unknown, wanted: string): boolean {
  if (typeof value !== 'object' || value === null) return String(value) === wanted
  const parts = value as Readonly<Record<string, unknown>>
  return Object.entries(parts).some(([name, part]) => name !== 'parent' && finds(part, wanted))
}

class Issue extends Entity {
  id: number | string = 0
  title = ''
  about: unknown = undefined
  parent: unknown = undefined
  static override key = 'Issue'
}

function makeIssues({ server }: Stage, field: Form['field'], options: object) {
  class IssueOfForm extends Issue {}
  if (field !== undefined)
    IssueOfForm.schema = { about: field === 'itself' ? [IssueOfForm] : field, parent: IssueOfForm }
  return createResource({
    path: '/issue/:id',
    schema: IssueOfForm,
    searchParams: {} as { about?: unknown; page?: number },
    urlPrefix: baseUrl,
    fetchResponse: (url: string, init: RequestInit) => server.fetch(url, init),
    ...options,
  })
}

/** A server with issues, and the list of those that it finds by an argument on screen: at first the record 10. */
async function setUp(stage: Stage, { field, wanted = '3', found, other }: Form, options: object = {}) {
  const { controller, mount, server, settle } = stage
  const issues = makeIssues(stage, field, options)
  const rows = new Map<number, Row>()
  const save = (id: number, fields: object): Row => {
    const row = { title: 'A', ...rows.get(id), ...fields, id }
    rows.set(id, row)
    return row
  }
  save(10, { about: found })
  save(11, { about: other })
  const list = `GET /issue?about=${wanted}`
  const wantedRows = () => [...rows.values()].filter(({ about }) => finds(about, wanted))
  server.route(list, wantedRows)
  server.route('POST /issue', ({ body }: ServerRequest) => save(10 + rows.size, body as object))
  for (const id of [10, 11, 12]) {
    for (const method of ['PATCH', 'PUT'])
      server.route(`${method} /issue/${id}`, ({ body }: ServerRequest) => save(id, body as object))
    server.route(`DELETE /issue/${id}`, () => {
      rows.delete(id)
      return {}
    })
  }
  const reader = await mount('useSuspense', issues.getList, { about: wanted })
  await settle()
  const titles = () => (shown(reader) as readonly Issue[]).map(({ id, title }) => `${id} ${title}`).sort()
  expect(titles()).toEqual(['10 A'])
  server.requests.length = 0
  /** The requests since it was called last. What is on screen is what the server has. */
  const requests = async () => {
    await settle()
    expect(titles()).toEqual(
      wantedRows()
        .map(({ id, title }) => `${id} ${title}`)
        .sort(),
    )
    return server.requests.splice(0)
  }
  return { controller, form: { found, other }, issues, list, requests, rows, save, titles }
}

type World = Awaited<ReturnType<typeof setUp>>

/** Mutations in turn, with their requests. All but the first and the last change by the field what is in the list. */
const mutations: readonly (readonly [string, (world: World) => Promise<unknown>])[] = [
  [
    'PATCH /issue/10',
    ({ controller, issues }) => controller.fetch(issues.partialUpdate, { id: 10 }, { title: 'B' }),
  ],
  [
    'POST /issue',
    ({ controller, issues, form: { found } }) =>
      controller.fetch(issues.create, { title: 'New', about: found }),
  ],
  [
    'POST /issue',
    ({ controller, issues, form: { other } }) =>
      controller.fetch(issues.create, { title: 'New', about: other }),
  ],
  [
    'PATCH /issue/11',
    ({ controller, issues, form: { found } }) =>
      controller.fetch(issues.partialUpdate, { id: 11 }, { about: found }),
  ],
  [
    'PATCH /issue/10',
    ({ controller, issues, form: { other } }) =>
      controller.fetch(issues.partialUpdate, { id: 10 }, { about: other }),
  ],
  [
    'PUT /issue/10',
    ({ controller, issues, form: { found } }) =>
      controller.fetch(issues.update, { id: 10 }, { title: 'C', about: found }),
  ],
  [
    'PUT /issue/11',
    ({ controller, issues, form: { other } }) =>
      controller.fetch(issues.update, { id: 11 }, { title: 'C', about: other }),
  ],
  [
    'PATCH /issue/10',
    ({ controller, issues, form: { other } }) =>
      controller.fetch(issues.getList.move, { id: 10 }, { about: other }),
  ],
  [
    'PATCH /issue/11',
    ({ controller, issues, form: { found } }) =>
      controller.fetch(issues.getList.move, { id: 11 }, { about: found }),
  ],
  ['DELETE /issue/12', ({ controller, issues }) => controller.fetch(issues.delete, { id: 12 })],
]

for (const [kind, form] of Object.entries(forms))
  for (const [way, options] of [
    ['answered', {}],
    ['optimistic', { optimistic }],
  ] as const)
    scenario(
      `4.1/Lists/nested argument/${kind}/${way}`,
      'each mutation is stored, and the list is right, whatever form the field has that its argument names',
      async (stage) => {
        const { controller, server, settle } = stage
        const world = await setUp(stage, form, options)
        const { issues, list, requests } = world
        // The record that the list does not have is known.
        await controller.fetch(issues.partialUpdate, { id: 11 }, { title: 'A' })
        await requests()
        for (const [index, [route, mutate]] of mutations.entries()) {
          server.hold(route)
          const saved = mutate(world)
          await settle()
          const early = [...server.requests]
          server.release()
          await saved
          const isAsked = index > 0 && index < mutations.length - 1 && form.isSure !== true
          // Nothing is asked before the answer.
          expect({ index, early, all: await requests() }).toEqual({
            index,
            early: [route],
            all: [route, ...(isAsked ? [list] : [])],
          })
        }
      },
    )

for (const [kind, form] of Object.entries(forms))
  scenario(
    `4.1/Lists/nested argument/${kind}/pushed`,
    'what is set, and what a message brings, is stored and shown',
    async (stage) => {
      const { controller, mount, settle } = stage
      const { issues, list, save, requests, titles } = await setUp(stage, form)
      const { id, ...fields } = save(10, { title: 'B', about: form.found })
      controller.set(issues.get.schema, { id }, fields)
      await settle()
      expect(titles()).toEqual(['10 B'])
      controller.setResponse(issues.partialUpdate, { id }, {}, save(10, { title: 'C' }))
      await settle()
      expect(titles()).toEqual(['10 C'])
      const created = save(12, { title: 'New', about: form.found })
      controller.setResponse(issues.create, {}, created)
      expect(await requests()).toEqual(form.isSure === true ? [] : [list])
      const details = await mount('useCache', issues.get, { id: 12 })
      expect(shown(details)).toMatchObject({ id: 12, title: 'New' })
    },
  )

scenario(
  '4.1/Lists/nested argument/rule',
  'what is set and a rule does not read is asked for, too',
  async (stage) => {
    const { controller } = stage
    const { issues, list, save, requests } = await setUp(stage, forms['a list'] as Form, {
      filter: rule((issue: { title: string }, { q }: { q?: string }) => q === undefined || issue.title === q),
    })
    const { other } = forms['a list'] as Form
    controller.set(issues.get.schema, { id: 10 }, { title: 'B' })
    save(10, { title: 'B' })
    expect(await requests()).toEqual([])
    controller.set(issues.get.schema, { id: 10 }, { about: other })
    save(10, { about: other })
    expect(await requests()).toEqual([list])
  },
)

for (const kind of ['a list', 'a map', 'an object'])
  scenario(
    `4.1/Lists/nested argument/${kind}/unchanged`,
    'a PUT that sends the field as it is asks for no list',
    async (stage) => {
      const { controller } = stage
      const form = forms[kind] as Form
      const { issues, requests } = await setUp(stage, form)
      await controller.fetch(issues.update, { id: 10 }, { title: 'B', about: form.found })
      expect(await requests()).toEqual(['PUT /issue/10'])
    },
  )

scenario(
  '4.1/Lists/nested argument/pages',
  'a deletion, a lost response and a read on its way go on, too',
  async (stage) => {
    const { controller, mount, server, settle } = stage
    const form = forms['a list'] as Form
    const { issues, list, requests, rows, save } = await setUp(stage, form)
    const page = 'GET /issue?about=3&page=1'
    server.route(page, () => [...rows.values()].filter(({ about }) => about === form.found))
    const paged = await mount('useSuspense', issues.getList, { about: '3', page: 1 })
    await settle()
    server.requests.length = 0
    save(12, { about: form.found, title: 'New' })
    server.route('POST /issue', reply.offline())
    await expect(controller.fetch(issues.create, { about: form.found })).rejects.toThrow(/no response/)
    server.route('POST /issue', reply.status(422))
    await expect(controller.fetch(issues.create, { about: form.found })).rejects.toMatchObject({
      status: 422,
    })
    expect(server.requests.splice(0)).toEqual(['POST /issue', 'POST /issue'])
    await controller.fetch(issues.getList, { about: '3' })
    server.hold(list)
    const reading = controller.fetch(issues.getList, { about: '3' })
    await controller.fetch(issues.delete, { id: 10 })
    await controller.fetch(issues.partialUpdate, { id: 12 }, { about: form.other })
    server.release()
    await reading
    await requests()
    expect(shown(paged)).toEqual([])
  },
)

scenario(
  '4.1/Lists/nested argument/several',
  'a list that is read by several keys takes a record with exactly these, and asks for any other',
  async (stage) => {
    const { controller, mount, server, settle } = stage
    const { issues } = await setUp(stage, forms['a list'] as Form)
    const list = 'GET /issue?about=3&about=4'
    server.route(list, [{ id: 10, title: 'A', about: [{ id: 3 }, { id: 4 }] }])
    const reader = await mount('useSuspense', issues.getList, { about: [3, 4] })
    await settle()
    server.requests.length = 0
    const ids = () => (shown(reader) as readonly { readonly id: number }[]).map(({ id }) => id)
    server.hold(list, 'GET /issue?about=3')
    await controller.fetch(issues.create, { about: [{ id: 3 }, { id: 4 }] })
    await settle()
    expect(ids()).toEqual([10, 12])
    expect(server.requests).not.toContain(list)
    await controller.fetch(issues.create, { about: [{ id: 3 }, { id: 4 }, { id: 5 }] })
    await settle()
    expect(ids()).toEqual([10, 12])
    expect(server.requests).toContain(list)
  },
)
