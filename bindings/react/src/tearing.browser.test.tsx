import { Controller } from '@selfsame/core'
import { ManualClock, Server, Todo, createApi } from '@selfsame/conformance'
import type { Api } from '@selfsame/conformance'
import { Activity, startTransition, use, useDeferredValue, useState } from 'react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test } from 'vitest'
import { DataProvider, useCache, useDLE, useFetch, useQuery, useSelect, useSuspense } from './index.js'

// Samples the page at the start of each frame, in a browser that paints.

const readers = 200

function createStage() {
  const clock = new ManualClock()
  const api = createApi(new Server(clock))
  const controller = new Controller({ clock })
  const write = (title: string) => controller.setResponse(api.todo.get, { id: 5 }, { id: 5, title })
  write('0')
  return { api, controller, write }
}

/** Renders a page. Until the test ends, records the values that its readers show in each frame. */
function open(controller: Controller, page: ReactNode) {
  const container = document.body.appendChild(document.createElement('main'))
  const root = createRoot(container)
  root.render(<DataProvider controller={controller}>{page}</DataProvider>)
  const frames: string[][] = []
  let isOpen = true
  const look = () => {
    if (!isOpen) return
    const shown = [...container.querySelectorAll<HTMLElement>('p')].filter((p) => p.offsetParent !== null)
    frames.push(shown.map((p) => p.textContent))
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  onTestFinished(() => {
    isOpen = false
    root.unmount()
    container.remove()
  })
  return { container, frames }
}

/** For each torn frame, the different values of one record that it showed. */
function tornFrames(frames: readonly (readonly string[])[]): string[][] {
  return frames.map((frame) => [...new Set(frame)]).filter(({ length }) => length > 1)
}

function frame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}

/** Blocks as long as a slow component may: milliseconds. */
function work(ms = 0.5): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

const hooks: Readonly<Record<string, (api: Api) => string | undefined>> = {
  useSuspense: (api) => useSuspense(api.todo.get, { id: 5 }).title,
  useCache: (api) => useCache(api.todo.get, { id: 5 })?.title,
  useDLE: (api) => useDLE(api.todo.get, { id: 5 }).data?.title,
  'use(useFetch())': (api) => use(useFetch(api.todo.get, { id: 5 })).title,
}

const moreHooks: typeof hooks = {
  ...hooks,
  useQuery: () => useQuery(Todo, { id: 5 })?.title,
  useSelect: (api) => useSelect(api.todo.get, ({ title }) => title, { id: 5 }),
}

/** Two writes of one record, the second while React renders the first. */
const pairs = {
  'two transitions': [true, true],
  'a transition, then an urgent write': [true, false],
  'an urgent write, then a transition': [false, true],
}

for (const [hook, useTitle] of Object.entries(moreHooks)) {
  for (const [pair, inTransition] of Object.entries(pairs)) {
    test(`no frame shows two values of a record that is written twice, by ${hook}: ${pair}`, async () => {
      const { api, controller, write } = createStage()
      const rendered = new Set<string>()
      function Title() {
        const title = useTitle(api) ?? 'nothing'
        work(1)
        rendered.add(title)
        return <p>{title}</p>
      }
      const { container, frames } = open(
        controller,
        // The rows never change.
        // eslint-disable-next-line react/no-array-index-key
        Array.from({ length: 100 }, (_, index) => <Title key={index} />),
      )
      while (container.querySelectorAll('p').length < 100) await frame()
      for (let count = 0; count < 3; count++) await frame()
      for (let round = 1; round <= 4; round++) {
        const [first, second] = [`${round}a`, `${round}b`]
        if (inTransition[0]) startTransition(() => write(first))
        else write(first)
        await new Promise((resolve) => setTimeout(resolve, 40))
        if (inTransition[1]) startTransition(() => write(second))
        else write(second)
        while (container.querySelector('p')?.textContent !== second) await frame()
        for (let count = 0; count < 3; count++) await frame()
        expect(frames.at(-1)).toEqual(Array.from({ length: 100 }, () => second))
      }
      expect(rendered.size).toBeGreaterThan(4)
      expect(tornFrames(frames)).toEqual([])
    })
  }

  test(`no frame shows two values of a record whose readers are partly deferred, by ${hook}`, async () => {
    const { api, controller, write } = createStage()
    function Title() {
      const title = useTitle(api) ?? 'nothing'
      work(1)
      return <p>{title}</p>
    }
    function Page() {
      const [count, setCount] = useState(10)
      const deferred = useDeferredValue(count)
      return (
        <>
          <button onClick={() => setCount(count + 40)} />
          <Title />
          {Array.from({ length: deferred }, (_, index) => (
            // Readers are only appended.
            // eslint-disable-next-line react/no-array-index-key
            <Title key={index} />
          ))}
        </>
      )
    }
    const { container, frames } = open(controller, <Page />)
    while (container.querySelectorAll('p').length < 11) await frame()
    for (let round = 1; round <= 3; round++) {
      container.querySelector('button')?.click()
      await new Promise((resolve) => setTimeout(resolve, 15))
      if (round === 2) write(`${round}`)
      else startTransition(() => write(`${round}`))
      const all = 11 + round * 40
      while (
        container.querySelectorAll('p').length < all ||
        container.querySelector('p')?.textContent !== `${round}`
      )
        await frame()
      for (let count = 0; count < 3; count++) await frame()
      expect(frames.at(-1)).toEqual(Array.from({ length: all }, () => `${round}`))
    }
    expect(tornFrames(frames)).toEqual([])
  })
}

for (const [hook, useTitle] of Object.entries(hooks)) {
  test(`no frame shows two values of a record, while readers by ${hook} are mounted in a transition`, async () => {
    const { api, controller, write } = createStage()
    const rendered = new Set<string>()
    function Title() {
      const title = useTitle(api) ?? 'nothing'
      work()
      rendered.add(title)
      return <p>{title}</p>
    }
    function Page() {
      const [count, setCount] = useState(0)
      return (
        <>
          <button onClick={() => startTransition(() => setCount(readers))} />
          {Array.from({ length: count }, (_, index) => (
            // Readers are only appended.
            // eslint-disable-next-line react/no-array-index-key
            <Title key={index} />
          ))}
        </>
      )
    }
    const { container, frames } = open(controller, <Page />)
    await frame()
    let title = 0
    const interval = setInterval(() => write(String(++title)), 7)
    onTestFinished(() => clearInterval(interval))
    container.querySelector('button')?.click()
    while (container.querySelectorAll('p').length < readers) await frame()
    clearInterval(interval)
    for (let count = 0; count < 3; count++) await frame()
    // Otherwise no write happened between two readers of one transition.
    expect(rendered.size).toBeGreaterThan(2)
    expect(tornFrames(frames)).toEqual([])
    expect(frames.at(-1)).toEqual(Array.from({ length: readers }, () => String(title)))
  })
}

test('an Activity that is shown again shows what was written meanwhile in its first frame', async () => {
  const { api, controller, write } = createStage()
  function Title() {
    return <p>{useSuspense(api.todo.get, { id: 5 }).title}</p>
  }
  function Page() {
    const [mode, setMode] = useState<'visible' | 'hidden'>('visible')
    return (
      <>
        <button onClick={() => setMode(mode === 'visible' ? 'hidden' : 'visible')} />
        <Activity mode={mode}>
          <Title />
        </Activity>
      </>
    )
  }
  const { container, frames } = open(controller, <Page />)
  await frame()
  await frame()
  for (let round = 1; round <= 10; round++) {
    container.querySelector('button')?.click()
    await frame()
    write(String(round))
    await frame()
    frames.length = 0
    container.querySelector('button')?.click()
    await frame()
    await frame()
    expect(frames.filter(([title]) => title !== undefined && title !== String(round))).toEqual([])
    expect(frames.at(-1)).toEqual([String(round)])
  }
})
