import { expect, test } from 'vitest'
import { textStorage } from './text-storage.js'
import type { Storable } from './row-storage.js'

function createTexts() {
  const texts = new Map<string, string>()
  const storage = textStorage({
    keys: () => [...texts.keys()],
    read: (keys) => keys.map((key) => texts.get(key)),
    write(rows) {
      for (const [key, text] of rows) {
        if (text === null) texts.delete(key)
        else texts.set(key, text)
      }
    },
  })
  return { texts, storage }
}

test.each<[string, Storable]>([
  ['JSON', '{"a":"b"}'],
  ['nothing', ''],
  ['what begins as the mark does', '==a'],
  ['no JSON', 'half "'],
])('a row that is a text is kept as it is: %s', async (_, row) => {
  const { texts, storage } = createTexts()
  await storage.write([['row', row]])
  expect(await storage.read(['row'])).toEqual([row])
  // No quote is escaped: a row of persist() has thousands.
  expect([...texts.values()]).toEqual([`=${String(row)}`])
})

test.each<[string, Storable]>([
  ['an object', { a: [1, '=', null] }],
  ['bytes', { file: new Uint8Array([0, 255]) }],
  ['a number', 5],
])('another row is kept: %s', async (_, row) => {
  const { storage } = createTexts()
  await storage.write([['row', row]])
  expect(await storage.list('r')).toEqual([['row', row]])
})

test('a text row of an earlier version, which was JSON, is read', async () => {
  const { texts, storage } = createTexts()
  texts.set('selfsame/row', JSON.stringify('text'))
  expect(await storage.read(['row'])).toEqual(['text'])
})
