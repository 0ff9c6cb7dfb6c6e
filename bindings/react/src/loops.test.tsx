import { Controller, Endpoint } from '@selfsame/core'
import { nextTask } from '@selfsame/conformance/next-task'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DataProvider, useDLE, useFetch, useFetching } from './index.js'

// Loops of requests that the requests themselves cause, by what renders while they are under way.

const warned = vi.fn()
let sent = 0
let now = 0

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  vi.spyOn(console, 'warn').mockImplementation(warned)
  warned.mockClear()
  sent = 0
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Answers late, so that no response takes part. */
const getTime = new Endpoint(
  async ({ at }: { readonly at: number }) => {
    sent++
    await new Promise((resolve) => setTimeout(resolve, 60_000))
    return { at }
  },
  { name: 'getTime' },
)

const Busy = ({ children }: { readonly children: () => ReactNode }) => {
  useFetching()
  return sent > 80 ? null : children()
}

const Time = ({ at }: { readonly at: number }) => {
  useDLE(getTime, { at })
  return null
}
const Prefetched = ({ at }: { readonly at: number }) => {
  useFetch(getTime, { at })
  return null
}
const Flickering = () => (useFetching() > 0 && sent < 80 ? <p>Loading</p> : <Time at={1} />)

const loops: Record<string, [page: () => ReactNode, said: string]> = {
  'a header with useFetching renders useDLE with other arguments': [
    () => <Busy>{() => <Time at={++now} />}</Busy>,
    'a new value of "at" followed',
  ],
  'a header with useFetching renders useFetch with other arguments': [
    () => <Busy>{() => <Prefetched at={++now} />}</Busy>,
    'a new value of "at" followed',
  ],
  'a page is replaced while useFetching counts its request': [() => <Flickering />, 'its reader left before'],
}

test.each(Object.keys(loops))('%s: one warning', async (name) => {
  const [page, said] = loops[name]!
  const root = createRoot(document.createElement('div'))
  root.render(<DataProvider controller={new Controller()}>{page()}</DataProvider>)
  const lines = () =>
    warned.mock.calls.map(([text]) => String(text)).filter((text) => text.startsWith('[selfsame]'))
  await expect.poll(lines, { timeout: 20_000 }).toHaveLength(1)
  root.unmount()
  expect(lines()[0]).toContain('getTime')
  expect(lines()[0]).toContain(said)
})

test('rows that come and go while one scrolls are no warning', async () => {
  const Rows = ({ from }: { readonly from: number }) => (
    <>
      {[0, 1, 2, 3, 4].map((row) => (
        <Time key={from + row} at={from + row} />
      ))}
    </>
  )
  const root = createRoot(document.createElement('div'))
  const controller = new Controller()
  for (let from = 0; from < 60; from++) {
    root.render(
      <DataProvider controller={controller}>
        <Rows from={from} />
      </DataProvider>,
    )
    for (let turn = 0; turn < 4; turn++) await nextTask()
  }
  root.unmount()
  expect(sent).toBeGreaterThan(50)
  expect(warned).not.toHaveBeenCalled()
})
