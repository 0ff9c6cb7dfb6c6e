import type { Progress, ProgressListener } from '@selfsame/core'
import { expect } from 'vitest'
import { scenario, shown } from '../suite.js'

const download = (loaded: number): Progress => ({ direction: 'download', loaded, total: 40 })
const upload = (loaded: number): Progress => ({ direction: 'upload', loaded, total: 40 })

scenario.inChromium(
  'progress/read',
  'a reader of progress shows how far a fetch is, until it is done; who shows data is not told',
  async ({ api, mount, server, settle }) => {
    let report: ProgressListener | undefined
    const get = api.todo.get.extend({
      fetchResponse(url, init, onProgress) {
        report = onProgress
        return server.fetch(url, init)
      },
    })
    server.hold('GET /todo/5')
    const cached = await mount('useCache', get, { id: 5 })
    const reader = await mount('useProgress', get, { id: 5 })
    const other = await mount('useProgress', get, { id: 6 })
    const data = await mount('useSuspense', get, { id: 5 })
    expect(shown(reader)).toBe(undefined)
    const rendersBefore = cached.renders
    report?.(download(10))
    await settle()
    expect(shown(reader)).toEqual(download(10))
    const { renders } = reader
    report?.(download(10))
    await settle()
    expect(reader.renders).toBe(renders)
    report?.(download(40))
    await settle()
    expect(shown(reader)).toEqual(download(40))
    expect(shown(other)).toBe(undefined)
    expect(data.current().state).toBe('fallback')
    expect(cached.renders).toBe(rendersBefore)
    server.release()
    await settle()
    expect(shown(reader)).toBe(undefined)
    expect(shown(data)).toMatchObject({ id: 5 })
  },
)

scenario.inChromium(
  'progress/mutation',
  'a mutation that says how far it is shows it, to readers mounted before and after it started',
  async ({ api, controller, mount, server, settle }) => {
    let report: ProgressListener | undefined
    const rename = api.todo.partialUpdate.extend({
      fetchResponse(url, init, onProgress) {
        report = onProgress
        return server.fetch(url, init)
      },
    })
    server.hold('PATCH /todo/5')
    const before = await mount('useProgress', rename, { id: 5 })
    const renamed = controller.fetch(rename, { id: 5 }, { title: 'New' })
    await settle()
    report?.(upload(0))
    report?.(upload(25))
    await settle()
    const after = await mount('useProgress', rename, { id: 5 })
    expect([shown(before), shown(after)]).toEqual([upload(25), upload(25)])
    expect(controller.read(rename, { id: 5 }, { title: 'New' }).fetching).toBe(true)
    server.release()
    await renamed
    await settle()
    expect([shown(before), shown(after)]).toEqual([undefined, undefined])
    report?.(upload(30))
    await settle()
    expect(shown(before)).toBe(undefined)
  },
)

scenario.inChromium(
  'progress/create',
  'the progress of a mutation without params is shown to who names it without its body',
  async ({ api, controller, mount, server, settle }) => {
    let report: ProgressListener | undefined
    const create = api.todo.create.extend({
      fetchResponse(url, init, onProgress) {
        report = onProgress
        return server.fetch(url, init)
      },
    })
    server.route('POST /todo', { id: 9, title: 'New' })
    server.hold('POST /todo')
    const reader = await mount('useProgress', create)
    const created = controller.fetch(create, { title: 'New' })
    await settle()
    report?.(upload(25))
    await settle()
    expect(shown(reader)).toEqual(upload(25))
    server.release()
    await created
    await settle()
    expect(shown(reader)).toBe(undefined)
  },
)

scenario.inChromium('progress/null', 'null args show no progress', async ({ api, mount, server }) => {
  const reader = await mount('useProgress', api.todo.get, null)
  expect(shown(reader)).toBe(undefined)
  expect(server.requests).toEqual([])
})
