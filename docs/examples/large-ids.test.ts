import { Controller } from '@selfsame/core'
import { afterEach, expect, test, vi } from 'vitest'
import { messageResource } from './guides/large-ids.js'

afterEach(() => vi.unstubAllGlobals())

test('large numbers are text in front of the parser, and nothing else is', async () => {
  const body = String.raw`[
    {"id":9007199254740993,"text":"a \"quoted\" 9007199254740993, and -12345678901234567"},
    {"id": 9007199254740995 ,"text":"1","weight":1.12345678901234567,"size":12345678901234567e3,"count":123456789012345}
  ]`
  const respond = () =>
    Promise.resolve(
      new Response(body, { headers: { 'content-type': 'application/json' } }),
    )
  vi.stubGlobal('fetch', vi.fn<typeof fetch>(respond))
  const messages = await new Controller().fetch(messageResource.getList)
  expect(messages).toMatchObject([
    {
      id: '9007199254740993',
      text: 'a "quoted" 9007199254740993, and -12345678901234567',
    },
    {
      id: '9007199254740995',
      text: '1',
      weight: 1.123_456_789_012_345_7,
      count: 123_456_789_012_345,
    },
  ])
})
