import {
  DevToolsMessagingHookKeys,
  devtools,
  getInspectorInfo,
  getInspectorNodeActions,
  toggleHighPerfMode,
  updateTimelineLayersState,
} from '@vue/devtools-kit'
import type { CustomInspectorNode, TimelineEventOptions } from '@vue/devtools-kit'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createApp, h } from 'vue'
import { Controller, Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import { explain } from './index.js'
import { vueDevtoolsPlugin } from './vue.js'

// The devtools of Vue themselves, without their window: what they ask plugins, and what plugins tell them.

class Article extends Entity {
  id = 0
  title = ''
  static override key = 'Article'
}

const articles = createResource({ urlPrefix: 'http://api', path: '/article/:id', schema: Article })

const events: TimelineEventOptions[] = []
const trees: string[] = []
const ends: (() => void)[] = []

beforeAll(() => {
  devtools.init()
  // They are opened.
  toggleHighPerfMode(false)
  // They are not made for a page without an application.
  createApp({ render: () => h('p') }).mount(document.createElement('div'))
  const { hooks } = devtools.ctx
  hooks.hook(DevToolsMessagingHookKeys.SEND_TIMELINE_EVENT_TO_CLIENT, (event) => void events.push(event))
  hooks.hook(
    DevToolsMessagingHookKeys.SEND_INSPECTOR_TREE_TO_CLIENT,
    ({ inspectorId }) => void trees.push(inspectorId),
  )
})

afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
  events.length = 0
  trees.length = 0
})

let count = 0

async function createStage() {
  const id = `selfsame-${count++}`
  const controller = new Controller({
    fetch: async (url) =>
      String(url).endsWith('/9')
        ? new Response('', { status: 500 })
        : Response.json({ id: Number(String(url).split('/').at(-1)), title: 'First' }),
  })
  ends.push(() => controller.dispose())
  const app = createApp({ render: () => h('p') })
  app.use(vueDevtoolsPlugin, { controller, id })
  app.mount(document.createElement('div'))
  let isMounted = true
  const unmount = () => {
    if (isMounted) app.unmount()
    isMounted = false
  }
  ends.push(unmount)
  // The list of applications.
  const record = await vi.waitFor(() => {
    const found = devtools.ctx.state.appRecords.find((one) => one.app === (app as unknown))
    expect(found).toBeDefined()
    return found!
  }, 5000)
  await api.toggleApp(record.id)
  await vi.waitFor(() => expect(getInspectorInfo(id)).toBeDefined(), 5000)
  // The button that records a layer.
  updateTimelineLayersState({ recordingState: true, [id]: true })
  return { controller, id, unmount }
}

const { api } = devtools.ctx
const treeOf = async (id: string, filter = '') =>
  (await api.getInspectorTree({ inspectorId: id, filter })) as unknown as CustomInspectorNode[]
const stateOf = async (id: string, nodeId: string) =>
  (await api.getInspectorState({ inspectorId: id, nodeId })) as Record<
    string,
    { key: string; value: unknown; editable?: boolean }[]
  >
const nodeIn = (nodes: readonly CustomInspectorNode[], label: string): CustomInspectorNode | undefined => {
  for (const node of nodes) {
    const found = node.label === label ? node : nodeIn(node.children ?? [], label)
    if (found !== undefined) return found
  }
  return undefined
}
const linesOf = (nodes: readonly CustomInspectorNode[], indent = ''): string[] =>
  nodes.flatMap(({ label, tags = [], children = [] }) => [
    indent + [label, ...tags.map((tag) => `[${tag.label}]`)].join(' '),
    ...linesOf(children, `${indent}  `),
  ])

test('the tree has calls with their status, and records by type, and is filtered', async () => {
  const { controller, id } = await createStage()
  await controller.fetch(articles.get, { id: 5 })
  await controller.fetch(articles.get, { id: 6 })
  await controller.fetch(articles.get, { id: 9 }).catch(() => {})
  controller.expireAll(articles.get)
  expect(linesOf(await treeOf(id))).toEqual([
    'Calls (3)',
    '  Article.get 5 [Stale]',
    '  Article.get 6 [Stale]',
    '  Article.get 9 [Invalid] [error]',
    'Records',
    '  Article (2)',
    '    5',
    '    6',
  ])
  expect(linesOf(await treeOf(id, 'get 6'))).toContain('Calls (1)')
  controller.batch(() => {
    for (let pk = 1000; pk < 6000; pk++) controller.set(Article, { id: pk }, { title: `Title ${pk}` })
  })
  const many = linesOf(await treeOf(id))
  expect(many.length).toBeLessThan(120)
  expect(many.at(-1)).toBe('    4902 more: filter for them')
  expect(linesOf(await treeOf(id, 'Title 5999'))).toContain('    5999')
})

test('a call says why, and is fetched, made Stale and Invalid', async () => {
  const { controller, id } = await createStage()
  await controller.fetch(articles.get, { id: 5 })
  const call = nodeIn(await treeOf(id), 'Article.get 5')!.id
  const state = await stateOf(id, call)
  expect(JSON.stringify(state['Why'])).toContain('because controller.fetch was called')
  expect(state['State']![0]).toMatchObject({ key: 'status', value: 'Valid' })
  const status = async () => (await stateOf(id, call))['State']![0]!.value
  const [fetch, expire, invalidate] = getInspectorNodeActions(id)!.map(
    ({ action }) =>
      () =>
        void action(call),
  )
  expire!()
  expect(await status()).toBe('Stale')
  fetch!()
  await vi.waitFor(async () => expect(await status()).toBe('Valid'))
  invalidate!()
  expect(await status()).toBe('Invalid')
})

test('a record is shown and edited', async () => {
  const { controller, id } = await createStage()
  await controller.fetch(articles.get, { id: 5 })
  const nodeId = nodeIn(await treeOf(id), '5')!.id
  expect((await stateOf(id, nodeId))['Fields']).toContainEqual(
    expect.objectContaining({ key: 'title', value: 'First', editable: true }),
  )
  expect((await stateOf(id, nodeId))['Shown by']).toEqual([
    expect.objectContaining({ key: 'Article.get 5', value: 'Valid' }),
  ])
  api.editInspectorState({
    inspectorId: id,
    nodeId,
    path: ['title'],
    type: 'Fields',
    state: { newKey: null, value: 'By hand', type: 'string' },
  } as never)
  await vi.waitFor(() => expect(controller.get(Article, { id: 5 })?.title).toBe('By hand'))
})

test('the timeline has requests with their cause, responses in their group, and errors', async () => {
  const { controller, id } = await createStage()
  await controller.fetch(articles.get, { id: 5 })
  await controller.fetch(articles.get, { id: 9 }).catch(() => {})
  await vi.waitFor(() => expect(events.map(({ event }) => event.title)).toContain('error Article.get 9'))
  expect(events.every(({ layerId }) => layerId === id)).toBe(true)
  const [fetch, response, , error] = events.map(({ event }) => event)
  expect(fetch).toMatchObject({
    title: 'fetch Article.get 5',
    subtitle: 'because controller.fetch was called',
  })
  expect(response).toMatchObject({
    title: 'response Article.get 5',
    groupId: fetch!.groupId,
    data: { response: { id: 5, title: 'First' } },
  })
  expect(error).toMatchObject({ logType: 'error' })
  // The devtools debounce all inspectors together, so that another one may be told in place of this.
  await vi.waitFor(
    async () => {
      await controller.fetch(articles.get, { id: 6 })
      await new Promise((resolve) => setTimeout(resolve, 200))
      expect(trees).toContain(id)
    },
    { timeout: 10_000 },
  )
})

test('when the application is unmounted the recording ends, and the inspector is empty', async () => {
  const { controller, id, unmount } = await createStage()
  unmount()
  await controller.fetch(articles.get, { id: 5 })
  expect(explain(controller, articles.get, { id: 5 }).fetched).toBeUndefined()
  expect(events).toEqual([])
  expect(await treeOf(id)).toEqual([])
})
