import axe from 'axe-core'
import { afterEach, expect, test, vi } from 'vitest'
import { Controller, Entity } from '@selfsame/core'
import { Observer } from '@selfsame/core/bindings'
import { outbox, outboxOf } from '@selfsame/core/outbox'
import { memoryStorage } from '@selfsame/core/storage'
import { optimistic } from '@selfsame/core/optimistic'
import { createResource } from '@selfsame/core/rest'
import { devtools, explain, explainRecord, record } from './index.js'
import { Recording } from './recording.js'

class Article extends Entity {
  id = 0
  title = ''
  static override key = 'Article'
}

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
  localStorage.clear()
})

function createStage() {
  const articles = createResource({
    urlPrefix: 'http://api',
    path: '/article/:id',
    schema: Article,
    optimistic,
  })
  let answers: (() => void)[] = []
  let isHeld = false
  const requests: string[] = []
  const controller = new Controller({
    fetch: async (url, init) => {
      requests.push(String(url))
      if (isHeld) await new Promise<void>((resolve) => answers.push(resolve))
      const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as object) : {}
      return Response.json({ id: Number(String(url).split('/').at(-1)), title: 'First', ...body })
    },
  })
  ends.push(() => controller.dispose())
  return {
    articles,
    controller,
    requests,
    hold: () => (isHeld = true),
    answer: () => {
      for (const one of answers) one()
      answers = []
    },
  }
}

const host = () => document.querySelector('selfsame-devtools')
const panel = () => host()?.shadowRoot?.querySelector('.panel')
const open = () => host()!.shadowRoot!.querySelector('button')!.click()
const find = (text: string) =>
  [...(panel()?.querySelectorAll('button') ?? [])].find((button) => button.textContent?.includes(text))
const click = async (text: string) => {
  // The panel is loaded when it is opened first.
  await vi.waitFor(() => expect(find(text)).toBeDefined(), { timeout: 10_000 })
  find(text)!.click()
}
const detail = () => panel()?.querySelector('.detail')?.textContent ?? ''

test('a button opens the panel, which lists calls, says why, and acts on them', async () => {
  const { articles, controller } = createStage()
  ends.push(devtools(controller))
  expect(panel()).toBeNull()
  const observer = new Observer(controller, articles.get, [{ id: 5 }])
  ends.push(observer.retain(() => observer.load()))
  observer.fetchIfDue()
  await controller.fetch(articles.get, { id: 5 })
  open()
  await click('Article.get 5')
  await vi.waitFor(() => expect(detail()).toContain('a reader mounted; nothing was cached'))
  expect(detail()).toContain('its data is Valid for another')
  await click('Expire')
  await vi.waitFor(() => expect(detail()).toContain('the data on screen was made Stale'))
  await click('Fail it')
  await vi.waitFor(() => expect(detail()).toContain('the panel made it fail'))
})

test('a call is fetched, slowed down, made Stale, made Invalid and removed by hand', async () => {
  const { articles, controller, requests } = createStage()
  ends.push(devtools(controller, { isOpen: true }))
  await controller.fetch(articles.get, { id: 5 })
  const status = () => controller.read(articles.get, { id: 5 }).status
  await click('Article.get 5')
  await click('Refetch')
  expect(requests).toHaveLength(2)
  await vi.waitFor(() => expect(controller.read(articles.get, { id: 5 }).fetching).toBe(false))
  await click('Expire')
  expect(status()).toBe('Stale')
  await click('Invalidate')
  expect(status()).toBe('Invalid')
  await click('Slow it')
  const waited = vi.spyOn(window, 'setTimeout')
  const slow = controller.fetch(articles.get, { id: 5 })
  await vi.waitFor(() => expect(waited.mock.calls.map(([, ms]) => ms)).toContain(2000))
  waited.mockRestore()
  expect(requests).toHaveLength(2)
  await click('Not slow')
  await slow
  expect(requests).toHaveLength(3)
  expect(status()).toBe('Valid')
  await click('Remove')
  // Its response is forgotten. The record that it names stays, and is shown, Stale.
  expect(status()).toBe('Stale')
  expect(detail()).toContain('made Stale')
})

test('a recording is exported as a file, and imported', async () => {
  const { articles, controller } = createStage()
  ends.push(devtools(controller, { isOpen: true }))
  await controller.fetch(articles.get, { id: 5 })
  await click('Timeline')
  const files: Blob[] = []
  const url = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    files.push(file as Blob)
    return 'blob:recording'
  })
  // The browser would save it.
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  await click('Export')
  expect(saved).toHaveBeenCalledOnce()
  url.mockRestore()
  saved.mockRestore()
  const text = await files[0]!.text()
  expect(JSON.parse(text)).toMatchObject({ version: 1, entries: [{ title: 'fetch Article.get 5' }, {}] })
  await click('Clear')
  expect(find('fetch Article.get 5')).toBeUndefined()
  const load = (content: string) => {
    const input = panel()!.querySelector<HTMLInputElement>('input[type=file]')!
    const chosen = new DataTransfer()
    chosen.items.add(new File([content], 'recording.json'))
    input.files = chosen.files
    input.dispatchEvent(new Event('change'))
  }
  load('{}')
  await vi.waitFor(() =>
    expect(panel()!.querySelector('[role=alert]')?.textContent).toContain('This is no recording'),
  )
  // It stays while other things happen.
  await controller.fetch(articles.get, { id: 7 })
  await vi.waitFor(() => expect(find('fetch Article.get 7')).toBeDefined())
  expect(panel()!.querySelector('[role=alert]')).not.toBeNull()
  load(text)
  await vi.waitFor(() => expect(find('fetch Article.get 5')).toBeDefined())
  // What happens now does not mix with it.
  await controller.fetch(articles.get, { id: 6 })
  expect(find('fetch Article.get 6')).toBeUndefined()
  await click('Close file')
  await vi.waitFor(() => expect(find('fetch Article.get 6')).toBeDefined())
  expect(find('fetch Article.get 5')).toBeUndefined()
})

test('the Redux DevTools extension gets each entry of the timeline, and nothing after the end', async () => {
  const sent: unknown[] = []
  const connect = vi.fn(() => ({
    init: (state: unknown) => sent.push(['init', state]),
    send: ({ type }: { readonly type: string }, state: unknown) => sent.push([type, state]),
  }))
  vi.stubGlobal('__REDUX_DEVTOOLS_EXTENSION__', { connect })
  ends.push(() => vi.unstubAllGlobals())
  const { articles, controller } = createStage()
  const end = devtools(controller, { name: 'Shop' })
  await controller.fetch(articles.get, { id: 5 })
  await vi.waitFor(() => expect(sent).toHaveLength(3))
  expect(connect).toHaveBeenCalledWith({ name: 'Shop' })
  expect(sent).toEqual([
    ['init', {}],
    ['fetch Article.get 5', expect.anything()],
    ['response Article.get 5', { Article: 1 }],
  ])
  end()
  await controller.fetch(articles.get, { id: 6 })
  await new Promise((resolve) => setTimeout(resolve, 0))
  expect(sent).toHaveLength(3)
})

test('is used by the keyboard: a shortcut opens and closes it, keys go through tabs and rows', async () => {
  const { controller } = createStage()
  ends.push(devtools(controller))
  controller.batch(() => {
    for (let id = 1; id <= 500; id++) controller.set(Article, { id }, { title: `Title ${id}` })
  })
  const focused = () => host()!.shadowRoot!.activeElement!
  const press = (key: string) => focused().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  const shortcut = () =>
    new KeyboardEvent('keydown', { altKey: true, shiftKey: true, code: 'KeyS', bubbles: true })
  document.body.dispatchEvent(shortcut())
  await vi.waitFor(() => expect(panel()).toBeTruthy())
  panel()!.querySelector<HTMLElement>('[role=tab]')!.focus()
  press('ArrowLeft')
  expect(focused().textContent).toBe('Network')
  press('ArrowRight')
  expect(focused().textContent).toBe('Calls')
  press('ArrowRight')
  await vi.waitFor(() => expect(find('Title 1')).toBeDefined())
  panel()!.querySelector<HTMLElement>('.row')!.focus()
  const place = () => Number(focused().closest('li')?.getAttribute('aria-posinset'))
  for (const [key, expected] of [
    ['ArrowUp', 1],
    ['ArrowDown', 2],
    ['End', 500],
    ['ArrowDown', 500],
    ['ArrowUp', 499],
    ['Home', 1],
  ] as const) {
    press(key)
    expect([key, place()]).toEqual([key, expected])
  }
  focused().dispatchEvent(shortcut())
  expect(panel()).toBeNull()
  expect(focused().textContent).toBe('Selfsame')
})

test('keys choose a tab, go to the search and resize; Escape empties the search first', async () => {
  const { articles, controller } = createStage()
  ends.push(devtools(controller, { isOpen: true }))
  await controller.fetch(articles.get, { id: 5 })
  await vi.waitFor(() => expect(panel()).toBeTruthy())
  const focused = () => host()!.shadowRoot!.activeElement as HTMLElement
  const press = (key: string) =>
    focused().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }))
  panel()!.querySelector<HTMLElement>('[role=tab]')!.focus()
  press('3')
  expect(focused().textContent).toBe('Timeline')
  press('/')
  const search = focused() as HTMLInputElement
  expect(search.getAttribute('aria-label')).toBe('Filter the timeline')
  search.value = '3'
  press('3')
  press('Escape')
  expect([search.value, panel() === null]).toEqual(['', false])
  const height = () => (panel() as HTMLElement).clientHeight
  const before = height()
  panel()!.querySelector<HTMLElement>('.edge')!.focus()
  press('ArrowUp')
  expect(height()).toBe(before + 24)
  press('Escape')
  expect(panel()).toBeNull()
})

test('the timeline stands still under the pointer, and says how many entries are new', async () => {
  const { controller } = createStage()
  ends.push(devtools(controller, { isOpen: true }))
  const write = (id: number) => controller.set(Article, { id }, { title: `Title ${id}` })
  write(1)
  await click('Timeline')
  await vi.waitFor(() => expect(find('set Article 1')).toBeDefined())
  const hover = vi.spyOn(panel()!.querySelector('.list')!, 'matches').mockReturnValue(true)
  write(2)
  await vi.waitFor(() => expect(find('1 new')?.hidden).toBe(false))
  expect(find('set Article 2')).toBeUndefined()
  await click('1 new')
  await vi.waitFor(() => expect(find('set Article 2')).toBeDefined())
  hover.mockRestore()
})

test('records are searched, edited in place, and 50,000 of them render a few rows', async () => {
  const { controller } = createStage()
  controller.batch(() => {
    for (let id = 1; id <= 50_000; id++) controller.set(Article, { id }, { title: `Title ${id}` })
  })
  ends.push(devtools(controller, { isOpen: true }))
  await click('Records')
  await vi.waitFor(() => expect(panel()!.querySelector('option')!.textContent).toBe('bottom'))
  await vi.waitFor(() => expect(panel()!.textContent).toContain('Article (50000)'))
  expect(panel()!.querySelectorAll('.rows > li').length).toBeLessThan(60)
  const search = panel()!.querySelector<HTMLInputElement>('[aria-label="Search records"]')!
  search.value = 'title 49999'
  search.dispatchEvent(new Event('input'))
  expect(panel()!.querySelectorAll('.rows > li')).toHaveLength(1)
  await click('title: Title 49999')
  await click('Edit')
  const area = panel()!.querySelector('textarea')!
  area.value = '{'
  await click('Save')
  expect(panel()!.querySelector('[role=alert]')!.textContent).toContain('JSON')
  area.value = JSON.stringify({ id: 49_999, title: 'By hand' })
  await click('Save')
  expect(controller.get(Article, { id: 49_999 })?.title).toBe('By hand')
  expect(detail()).toContain('By hand')
})

test('the timeline tells cause, effect, and what was there before and after', async () => {
  const { articles, controller } = createStage()
  ends.push(devtools(controller, { isOpen: true }))
  await controller.fetch(articles.get, { id: 5 })
  await controller.fetch(articles.partialUpdate, { id: 5 }, { title: 'Second' })
  await click('Timeline')
  await vi.waitFor(() =>
    expect(find('fetch Article.get 5')?.textContent).toContain('because controller.fetch was called'),
  )
  // The edit is optimistic: it is on screen before the server answers.
  await click('fetch Article.partialUpdate')
  await vi.waitFor(() => expect(detail()).toContain('Article 5'))
  const lines = () =>
    [...panel()!.querySelectorAll('.changes tbody tr')].map(({ textContent }) => textContent)
  expect(lines()).toEqual(['titleFirst→ Second'])
  // Its response is compared with what was confirmed, not with what was shown early.
  await click('response Article.partialUpdate')
  await vi.waitFor(() => expect(detail()).toContain('Response'))
  expect(lines()).toEqual(['titleFirst→ Second'])
  expect(detail()).toContain('earlier')
  expect(detail()).not.toContain('-')
  await click('Clear')
  expect(find('fetch Article.get 5')).toBeUndefined()
})

test('layers and network: what is pending is listed, and a request can be made to fail', async () => {
  const { articles, controller, hold, answer } = createStage()
  ends.push(devtools(controller, { isOpen: true }))
  await controller.fetch(articles.get, { id: 5 })
  hold()
  const edit = controller.fetch(articles.partialUpdate, { id: 5 }, { title: 'Early' })
  await click('Layers')
  await vi.waitFor(() => expect(panel()!.querySelector('.content')!.textContent).toContain('Early'))
  answer()
  await edit
  await vi.waitFor(() =>
    expect(panel()!.querySelector('.content')!.textContent).toContain('No optimistic write is pending'),
  )
  await click('Network')
  const select = await vi.waitFor(() => {
    const label = [...panel()!.querySelectorAll('label')].find((one) =>
      one.textContent?.includes('Article.get'),
    )
    return label!.querySelector('select')!
  })
  select.value = 'fail'
  select.dispatchEvent(new Event('change'))
  await expect(controller.fetch(articles.get, { id: 5 })).rejects.toThrow('the panel made it fail')
  select.value = 'as it is'
  select.dispatchEvent(new Event('change'))
  answer()
})

test('the outbox: what waits is listed, and can be taken back', async () => {
  const { articles } = createStage()
  const controller = new Controller({
    middleware: [outbox({ endpoints: [articles], storage: memoryStorage() })],
    fetch: () => Promise.reject(new TypeError('Failed to fetch')),
  })
  ends.push(() => controller.dispose())
  ends.push(devtools(controller, { isOpen: true }))
  await outboxOf(controller).ready
  const edit = controller.fetch(articles.partialUpdate, { id: 5 }, { title: 'Later' })
  edit.catch(() => {})
  await click('Layers')
  const content = () => panel()!.querySelector('.content')!.textContent
  await vi.waitFor(() => expect(content()).toContain('1. Article.partialUpdate 5, {"title":"Later"}'))
  await vi.waitFor(() => {
    const [, said = ''] = explain(
      controller,
      articles.partialUpdate,
      { id: 5 },
      { title: 'Later' },
    ).text.split('\n')
    expect(said).toMatch(/^It waits for the network.* Tried \d+ times?\./)
    for (const sentence of said.split(/(?<=\.) /)) expect(content()).toContain(sentence)
  })
  await click('Take back')
  await expect(edit).rejects.toMatchObject({ code: 'outbox-dropped' })
  await vi.waitFor(() => expect(content()).not.toContain('Later'))
})

test('the panel says of a call and of a record what `explain` says', async () => {
  const { articles, controller } = createStage()
  ends.push(devtools(controller, { isOpen: true, recordsChanges: true }))
  await controller.fetch(articles.get, { id: 5 })
  controller.expireAll(articles.get)
  const sentences = () =>
    [...panel()!.querySelectorAll('.why p')].map(({ textContent }) => withoutTimes(textContent))
  const lines = (text: string) => text.split('\n').map(withoutTimes)
  await click('Article.get 5')
  await vi.waitFor(() =>
    expect(sentences()).toEqual(lines(explain(controller, articles.get, { id: 5 }).text).slice(1)),
  )
  expect(sentences()).toHaveLength(5)
  await click('Records')
  const [first = '', ...others] = lines(explainRecord(controller, Article, 5).text)
  await vi.waitFor(() => expect(sentences()).toEqual([first.replace('Article 5: ', ''), ...others]))
})

const withoutTimes = (text: string) => text.replace(/\d+ m?s/g, 'a time')

test('from a wrong value to the response that brought it: three clicks', async () => {
  const { articles, controller } = createStage()
  ends.push(devtools(controller, { recordsChanges: true, isOpen: true }))
  controller.set(Article, { id: 4 }, { title: 'By hand' })
  await controller.fetch(articles.get, { id: 5 })
  await controller.fetch(articles.partialUpdate, { id: 5 }, { title: 'Wrong' })
  await vi.waitFor(() => expect(panel()).toBeTruthy())
  await click('Records')
  await click('title: Wrong')
  await click('from response Article.partialUpdate')
  await vi.waitFor(() => expect(detail()).toContain('titleFirst→ Wrong'))
  expect(detail()).toContain('fetch Article.partialUpdate 5')
})

test('from a slow page to the call that was sent twice: three clicks', async () => {
  const { articles, controller } = createStage()
  ends.push(devtools(controller, { recordsChanges: true, hasButton: true }))
  await controller.fetch(articles.get, { id: 5 })
  await controller.fetch(articles.get, { id: 6 })
  await controller.fetch(articles.get, { id: 6 })
  open()
  await click('Sent twice or more 1')
  const rows = () => [...panel()!.querySelectorAll('.row')].map(({ textContent }) => textContent)
  await vi.waitFor(() => expect(rows()).toEqual([expect.stringContaining('Article.get 6')]))
  await click('Article.get 6')
  await vi.waitFor(() => expect(detail()).toContain('Requests (2)'))
  expect(detail()).toContain('Requested 2 times since the recording began.')
})

test('what was tried and what left the page are two counts', async () => {
  const { articles, controller, requests } = createStage()
  ends.push(devtools(controller, { isOpen: true }))
  await controller.fetch(articles.get, { id: 5 })
  await click('Network')
  const select = await vi.waitFor(() => panel()!.querySelector<HTMLSelectElement>('.rule select')!)
  select.value = 'offline'
  select.dispatchEvent(new Event('change'))
  await controller.fetch(articles.get, { id: 5 }).catch(() => {})
  expect(requests).toHaveLength(1)
  expect(explain(controller, articles.get, { id: 5 }).text).toContain(
    'Requested 2 times since the recording began. The panel stopped one attempt before it left the page.',
  )
})

test('a file is replayed: it answers the requests of the page, until the network does again', async () => {
  const there = createStage()
  const end = record(there.controller)
  await there.controller.fetch(there.articles.get, { id: 5 })
  const recorded = new Recording(there.controller)
  await there.controller.fetch(there.articles.get, { id: 7 })
  const text = JSON.stringify(recorded.export())
  recorded.end()
  end()
  const { articles, controller, requests } = createStage()
  ends.push(devtools(controller, { isOpen: true }))
  await click('Timeline')
  const input = panel()!.querySelector<HTMLInputElement>('input[type=file]')!
  const chosen = new DataTransfer()
  chosen.items.add(new File([text], 'recording.json'))
  input.files = chosen.files
  input.dispatchEvent(new Event('change'))
  await click('Replay it in this page')
  await click('Use the network again').catch(() => {})
  await vi.waitFor(() => expect(panel()!.querySelector<HTMLElement>('.banner')!.hidden).toBe(true))
  expect(requests).toEqual([])
  await controller.fetch(articles.get, { id: 8 })
  expect(requests).toHaveLength(1)
})

test('the timeline is filtered by action, endpoint or type, time and values', async () => {
  const { articles, controller } = createStage()
  ends.push(devtools(controller, { isOpen: true, recordsChanges: true }))
  await controller.fetch(articles.get, { id: 5 })
  controller.set(Article, { id: 9 }, { title: 'Needle' })
  await click('Timeline')
  const titles = () =>
    [...panel()!.querySelectorAll('.row .text')].map(({ firstChild }) => firstChild?.textContent)
  await vi.waitFor(() => expect(titles()).toHaveLength(3))
  const choose = (label: string, value: string) => {
    const field = panel()!.querySelector<HTMLSelectElement>(`[aria-label="${label}"]`)!
    field.value = value
    field.dispatchEvent(new Event(field.tagName === 'INPUT' ? 'input' : 'change'))
  }
  choose('Any endpoint or type', 'Article.get')
  expect(titles()).toEqual(['fetch Article.get 5', 'response Article.get 5'])
  choose('Any action', 'Errors')
  expect(titles()).toEqual([])
  choose('Any action', 'any')
  choose('Any endpoint or type', 'any')
  choose('Any time', 'last minute')
  choose('Filter the timeline', 'needle')
  expect(titles()).toEqual(['set Article 9'])
})

test.each(['Calls', 'Records', 'Timeline'])(
  'with 10,000 records and 1,000 events, a look at %s makes as many elements as are in view',
  async (tab) => {
    const { articles, controller } = createStage()
    ends.push(devtools(controller, { isOpen: true, recordsChanges: true, maxEntries: 2000 }))
    const all = Array.from({ length: 10_000 }, (_, index) => ({ id: index + 1, title: `Title ${index + 1}` }))
    controller.setResponse(articles.getList, all)
    for (let id = 1; id <= 1000; id++) controller.set(Article, { id }, { title: `New ${id}` })
    await click(tab)
    await vi.waitFor(() => expect(panel()!.querySelectorAll('.row').length).toBeGreaterThan(0))
    const made = vi.spyOn(document, 'createElement')
    ends.push(() => made.mockRestore())
    controller.set(Article, { id: 1 }, { title: 'Last' })
    await vi.waitFor(() => expect(made.mock.calls.length).toBeGreaterThan(0))
    expect(made.mock.calls.length).toBeLessThan(600)
    expect(panel()!.querySelectorAll('.row').length).toBeLessThan(40)
  },
)

test('a panel and `record` share one recording, which ends with the last of them', async () => {
  const { articles, controller } = createStage()
  const endPanel = devtools(controller)
  const endRecord = record(controller)
  await controller.fetch(articles.get, { id: 5 })
  const fetched = () => explain(controller, articles.get, { id: 5 }).fetched
  expect(fetched()).toContain('because controller.fetch was called')
  open()
  await click('Timeline')
  await vi.waitFor(() => expect(find('fetch Article.get 5')).toBeDefined())
  endPanel()
  expect(fetched()).toContain('because controller.fetch was called')
  endRecord()
  expect(fetched()).toBeUndefined()
})

test('is closed by Escape, remembers its tab, docks elsewhere, and leaves nothing behind', async () => {
  const { controller } = createStage()
  const end = devtools(controller)
  open()
  await click('Timeline')
  const places = panel()!.querySelector<HTMLSelectElement>('[aria-label="Place of the panel"]')!
  places.value = 'right'
  places.dispatchEvent(new Event('change'))
  expect(panel()!.getAttribute('data-dock')).toBe('right')
  panel()!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  expect(panel()).toBeNull()
  open()
  await vi.waitFor(() => expect(panel()!.querySelector('[aria-selected=true]')!.textContent).toBe('Timeline'))
  expect(panel()!.getAttribute('data-dock')).toBe('right')
  const [first] = panel()!.querySelectorAll<HTMLElement>('[role=tab]')
  first!.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))
  end()
  expect(host()).toBeNull()
})

test('while it is closed there is no timer, no frame callback and no observer of the page', async () => {
  const { articles, controller } = createStage()
  const used = (['setTimeout', 'setInterval', 'requestAnimationFrame'] as const).map((name) =>
    vi.spyOn(window, name),
  )
  const Observers = (['MutationObserver', 'ResizeObserver', 'IntersectionObserver'] as const).map((name) => {
    const made = vi.fn()
    vi.stubGlobal(
      name,
      class {
        constructor() {
          made()
        }
        observe() {}
        disconnect() {}
      },
    )
    return made
  })
  ends.push(devtools(controller))
  // A write, which schedules nothing of its own.
  controller.set(Article, { id: 1 }, { title: 'a' })
  const collector = used[0]!.mock.calls.length
  controller.set(Article, { id: 1 }, { title: 'b' })
  expect(used.map(({ mock }) => mock.calls.length)).toEqual([collector, 0, 0])
  expect(collector).toBeLessThanOrEqual(1)
  expect(Observers.map((made) => made.mock.calls.length)).toEqual([0, 0, 0])
  for (const spy of used) spy.mockRestore()
  vi.unstubAllGlobals()
  void articles
})

test.each(['Calls', 'Records', 'Timeline', 'Layers', 'Network'])('axe finds nothing in %s', async (tab) => {
  const { articles, controller } = createStage()
  ends.push(devtools(controller, { isOpen: true }))
  await controller.fetch(articles.get, { id: 5 })
  await click(tab)
  if (tab === 'Calls') await click('Article.get 5')
  const { violations } = await axe.run(host()!)
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
})
