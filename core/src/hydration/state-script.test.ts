// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { Observer } from '../bindings.js'
import { dehydrate, dehydrateChanges, hydrateFromPage, stateScript } from '../hydration.js'
import type { DehydratedState } from '../hydration.js'
import { Controller, Endpoint } from '../index.js'

const getText = new Endpoint((_params: { id: number }) => Promise.resolve(''), { name: 'getText' })

/** The state of a server that received these texts. */
function stateOf(texts: Readonly<Record<number, string>>) {
  const server = new Controller()
  for (const [id, text] of Object.entries(texts)) server.setResponse(getText, { id: Number(id) }, text)
  return dehydrate(server)
}

beforeEach(() => {
  document.body.innerHTML = ''
})

const hostile = '</script><script>document.title = "broken"</script><!-- \u2028 <script> ]]> &lt; "\'`'

test('the whole of a state is in one block of data, whatever its texts hold', () => {
  const html = stateScript(stateOf({ 1: hostile }))
  expect(html).toMatch(/^<script type="application\/json" id="selfsame">[^<>&\u2028\u2029]*<\/script>$/)
  document.body.innerHTML = `<p>before</p>${html}<p>after</p>`
  const page = new Controller()
  hydrateFromPage(page)
  expect(page.read(getText, { id: 1 }).data).toBe(hostile)
  expect(document.body.innerHTML).toBe('<p>before</p><p>after</p>')
})

test('in an element that is no script the text means the same', () => {
  const text = /^[^>]*>(.*)<\/script>$/s.exec(stateScript(stateOf({ 1: hostile })))?.[1]
  document.body.innerHTML = `<div hidden>${text}</div>`
  expect(document.querySelector('div')?.textContent).toBe(text)
})

test('id and nonce are attributes, and break out of none', () => {
  const html = stateScript(stateOf({}), { id: 'a"b', nonce: '"><script>' })
  document.body.innerHTML = html
  const [script, ...others] = document.querySelectorAll('script')
  expect(others).toEqual([])
  expect(script?.id).toBe('a"b')
  expect(script?.getAttribute('nonce')).toBe('"><script>')
})

test('takes all that is there, only of its id, and what came since when it is called again', () => {
  const page = new Controller()
  hydrateFromPage(page)
  document.body.innerHTML =
    stateScript(stateOf({ 1: 'a' })) +
    stateScript(stateOf({ 2: 'b' })) +
    stateScript(stateOf({ 3: 'c' }), { id: 'other' }) +
    '<script type="application/json" id="config">{"not":"ours"}</script>'
  hydrateFromPage(page)
  const read = () => [1, 2, 3, 4].map((id) => page.read(getText, { id }).data)
  expect(read()).toEqual(['a', 'b', undefined, undefined])
  document.body.insertAdjacentHTML('beforeend', stateScript(stateOf({ 4: 'd' })))
  hydrateFromPage(page)
  hydrateFromPage(page, { id: 'other', document })
  expect(read()).toEqual(['a', 'b', 'c', 'd'])
  expect([...document.querySelectorAll('script')].map(({ id }) => id)).toEqual(['config'])
})

test('what is still being parsed is left for the next time', () => {
  const page = new Controller()
  const parsed = document.implementation.createHTMLDocument()
  let readyState = 'loading'
  Object.defineProperty(parsed, 'readyState', { get: () => readyState })
  const html = stateScript(stateOf({ 1: 'a' }))
  const script = parsed.createElement('script')
  script.type = 'application/json'
  script.id = 'selfsame'
  parsed.body.append(script)
  script.textContent = html.slice(html.indexOf('>') + 1, html.indexOf('>') + 20)
  hydrateFromPage(page, { document: parsed })
  expect(script.isConnected).toBe(true)
  script.textContent = html.slice(html.indexOf('>') + 1, html.lastIndexOf('<'))
  script.after(parsed.createElement('div'))
  hydrateFromPage(page, { document: parsed })
  expect(page.read(getText, { id: 1 }).data).toBe('a')
  // No node follows the last element, but the page is loaded.
  parsed.body.innerHTML = stateScript(stateOf({ 2: 'b' }))
  readyState = 'interactive'
  hydrateFromPage(page, { document: parsed })
  expect(page.read(getText, { id: 2 }).data).toBe('b')
})

test('one that is damaged is an error, once', () => {
  const page = new Controller()
  document.body.innerHTML = '<script type="application/json" id="selfsame">{"version":</script>'
  expect(() => hydrateFromPage(page)).toThrow(expect.objectContaining({ code: 'argument-invalid' }))
  hydrateFromPage(page)
  expect(document.body.innerHTML).toBe('')
})

test('what the server still fetches waits for a later part of the page, or for its end', async () => {
  const answers = new Map<number, (text: string) => void>()
  const getLate = new Endpoint(
    ({ id }: { id: number }) => new Promise<string>((resolve) => answers.set(id, resolve)),
    { name: 'getLate' },
  )
  const server = new Controller()
  const next = dehydrateChanges(server)
  for (const id of [1, 2]) void server.fetch(getLate, { id })
  const state = next()
  expect(state?.pending).toEqual(['getLate [{"id":"1"}]', 'getLate [{"id":"2"}]'])
  // They are named once.
  expect(next()).toBe(undefined)
  document.body.innerHTML = stateScript(state as DehydratedState)
  const asked: number[] = []
  const inPage = getLate.extend({
    fetch: ({ id }: { id: number }) => Promise.resolve(`of the page ${asked.push(id)}`),
  })
  const page = new Controller()
  const read = (id: number) => new Observer(page, inPage, [{ id }])
  // One reader was there before, and the other comes later.
  const first = read(1)
  hydrateFromPage(page, { isArriving: true })
  const second = read(2)
  for (const reader of [first, second]) {
    expect(reader.load()).toMatchObject({ loading: true })
    expect(reader.getSnapshot().fetching).toBe(false)
  }
  const end = second.retain(() => void second.load())
  answers.get(1)?.('of the server')
  await Promise.resolve()
  document.body.innerHTML = stateScript(next() as DehydratedState)
  hydrateFromPage(page, { isArriving: true })
  expect(first.load()).toMatchObject({ data: 'of the server' })
  expect(asked).toEqual([])
  hydrateFromPage(page)
  await new Promise((resolve) => setTimeout(resolve))
  expect(asked).toEqual([2])
  expect(second.state()).toMatchObject({ data: 'of the page 1' })
  end()
})
