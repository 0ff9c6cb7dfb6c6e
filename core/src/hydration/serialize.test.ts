import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { ManualClock } from '../../../conformance/src/clock.js'
import { dehydrate, deserialize, hydrate, serialize } from '../hydration.js'
import type { DehydratedState } from '../hydration.js'
import { Controller, Endpoint, Entity, SelfsameError, schema } from '../index.js'
import { NetworkError } from '../rest.js'

class Note extends Entity {
  id = 0
  text = ''
  value: unknown = undefined
  static override key = 'Note'
}
const getNote = new Endpoint((params: { id: number }) => Promise.resolve({ ...params, text: 'note' }), {
  name: 'getNote',
  schema: Note,
})
const getAnything = new Endpoint((_params: { id: number }) => Promise.resolve<unknown>(undefined), {
  name: 'getAnything',
})

/** The value that a page reads after a server sent it as text. */
function carry(answer: unknown): unknown {
  const server = new Controller()
  server.setResponse(getAnything, { id: 1 }, answer)
  const page = new Controller()
  hydrate(page, deserialize(serialize(dehydrate(server))))
  expect(page.read(getAnything, { id: 1 }).status).toBe('Valid')
  return page.read(getAnything, { id: 1 }).data
}

describe('what serialize carries', () => {
  const values: Readonly<Record<string, unknown>> = {
    'a Date': new Date(86_400_000),
    'a Date that is none': new Date(NaN),
    'a BigInt': 2n ** 80n,
    'a Map': new Map<unknown, unknown>([
      [{ id: 1 }, new Date(0)],
      ['x', undefined],
    ]),
    'a Set': new Set([1n, 'a', undefined]),
    'a URL': new URL('https://example.com/a?b=c&d=<e>#f'),
    'a RegExp': /<\/script>/giu,
    undefined: { there: undefined, items: [undefined, 1] },
    'numbers that JSON does not have': [NaN, Infinity, -Infinity, -0, 0],
    'names that mean something': {
      '@date': 1,
      one: { '@': { '@map': [] } },
      two: { '@undefined': 0, other: 1 },
      three: { $record: ['Note', '1'] },
    },
    'plain data': { a: [null, true, 'x', { b: [] }], c: {} },
  }
  for (const [name, value] of Object.entries(values)) {
    test(name, () => expect(carry({ value })).toStrictEqual({ value }))
  }

  test('an error inside of an answer, of its class where that is ours', () => {
    const { ours, other } = carry({
      ours: new NetworkError('No.', { status: 404 }),
      other: Object.assign(new TypeError('Oh.'), { code: 'E1' }),
    }) as { ours: NetworkError; other: Error }
    expect(ours).toBeInstanceOf(NetworkError)
    expect(ours).toMatchObject({ name: 'NetworkError', message: 'No.', status: 404 })
    expect(other).toMatchObject({ name: 'TypeError', message: 'Oh.', code: 'E1' })
  })

  test('a name such as __proto__ reaches no prototype', () => {
    const answer: unknown = JSON.parse(
      '{"__proto__":{"isAdmin":true,"__proto__":{"deep":1}},"x":{"__proto__":null}}',
    )
    const carried = carry(answer) as { isAdmin?: unknown }
    expect(JSON.stringify(carried)).toBe(JSON.stringify(answer))
    expect(carried.isAdmin).toBeUndefined()
  })

  test('any JSON, and text that is safe in HTML', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), (json) => {
        const state = { version: 1, value: JSON.parse(json) as unknown, results: [] }
        const text = serialize(state as unknown as DehydratedState)
        expect(text).not.toMatch(/[<>&\u2028\u2029]/)
        expect(deserialize(text)).toEqual(state)
      }),
      { numRuns: 40 },
    )
  })

  test('records, deleted ones too, and lists', async () => {
    const server = new Controller()
    await server.fetch(getNote, { id: 1 })
    server.set(Note, { id: 2 }, { text: 'gone' })
    server.set(new schema.Delete(Note), { id: 2 }, { id: 2 })
    server.set(Note, { id: 3 }, { value: new Map([[1n, new Date(0)]]) })
    const page = new Controller()
    hydrate(page, deserialize(serialize(dehydrate(server))))
    expect(page.read(getNote, { id: 1 })).toMatchObject({ status: 'Valid', data: { text: 'note' } })
    expect(page.get(Note, { id: 2 })).toBeUndefined()
    expect(dehydrate(page).records).toEqual(dehydrate(server).records)
    expect(page.get(Note, { id: 3 })?.value).toEqual(new Map([[1n, new Date(0)]]))
  })

  test('the error of a call: a NetworkError stays one, with its status; a SelfsameError keeps its code', () => {
    const server = new Controller()
    server.setError(
      getNote,
      { id: 1 },
      new NetworkError('getNote failed: 404', {
        status: 404,
        method: 'GET',
        url: 'https://api.example.com/note/1?key=1',
      }),
    )
    server.setError(getNote, { id: 2 }, new SelfsameError('body-unexpected', 'HTML', { status: 400 }))
    server.setError(getNote, { id: 3 }, new RangeError('secret'))
    server.setError(getNote, { id: 4 }, new NetworkError('</script><script>alert(1)', {}))
    const page = new Controller()
    hydrate(page, deserialize(serialize(dehydrate(server))))
    const errorOf = (id: number) => page.read(getNote, { id }).error
    expect(errorOf(1)).toBeInstanceOf(NetworkError)
    expect(errorOf(1)).toMatchObject({
      name: 'NetworkError',
      message: 'getNote failed: 404',
      status: 404,
      method: 'GET',
      path: '/note/1',
    })
    expect(errorOf(2)).toBeInstanceOf(SelfsameError)
    expect(errorOf(2)).toMatchObject({ code: 'body-unexpected', message: 'HTML', status: 400 })
    expect(errorOf(3)).toMatchObject({
      name: 'RangeError',
      message: 'The request failed on the server (RangeError).',
    })
    expect(errorOf(4)).toMatchObject({ message: '</script><script>alert(1)' })
  })
})

describe('what serialize does not carry', () => {
  test('an answer is left out, and development says which', () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const server = new Controller({ clock: new ManualClock() })
    server.setResponse(getAnything, { id: 1 }, new Blob(['x']))
    server.setResponse(getAnything, { id: 2 }, [{ f: () => {} }])
    server.setResponse(getAnything, { id: 3 }, 'kept')
    const page = new Controller({ clock: new ManualClock() })
    hydrate(page, deserialize(serialize(dehydrate(server))))
    expect([1, 2, 3].map((id) => page.read(getAnything, { id }).data)).toEqual([undefined, undefined, 'kept'])
    const said = warned.mock.calls.map(([message]) => String(message))
    expect(said).toEqual([
      expect.stringContaining('The response to getAnything [{"id":"1"}] was left out of the state'),
      expect.stringContaining('a function'),
    ])
    warned.mockRestore()
  })

  test('in a record it is an error', () => {
    const server = new Controller()
    server.set(Note, { id: 1 }, { value: Symbol('x') })
    expect(() => serialize(dehydrate(server))).toThrow(
      expect.objectContaining({
        code: 'value-unusable',
        message: expect.stringContaining('a symbol') as string,
      }),
    )
  })
})

test('a damaged text is an error that says so', () => {
  const text = serialize(dehydrate(new Controller()))
  const damaged = [text.slice(0, -1), '', '{"@what":1}', '{"@bigint":"x"}', '{"@map":1}', '{"@":null}']
  for (const each of damaged) {
    expect(() => deserialize(each)).toThrow(
      expect.objectContaining({
        code: 'argument-invalid',
        message: expect.stringContaining('instead of a state') as string,
      }),
    )
  }
  // JSON of another form: `hydrate` rejects it.
  expect(() => hydrate(new Controller(), deserialize('[]'))).toThrow(
    expect.objectContaining({ code: 'argument-invalid' }),
  )
})
