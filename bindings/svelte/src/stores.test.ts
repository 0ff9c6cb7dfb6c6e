import { listenersOf, retainersOf, todoFields } from '@selfsame/conformance'
import type { ProgressListener } from '@selfsame/core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compileMarkup } from '../testing/markup/compile-markup.js'
import { createStage } from '../testing/stage.js'

/** The call of a hook in a component, and the markup that reads its result. */
interface Use {
  readonly call: string
  /** Reads the title through the store. */
  readonly store: string
  /** Reads the title, or another member, through the handle. */
  readonly members: readonly string[]
}

const args = '() => ({ id })'
const uses: Readonly<Record<string, Use>> = {
  useSuspense: {
    call: `useSuspense(api.todo.get, ${args})`,
    store: '{$x?.title}',
    members: ['{x.current.title}', '{x.pending}', '{x.error}'],
  },
  useLive: {
    call: `useLive(api.todo.get.extend({ pollFrequency: 5000 }), ${args})`,
    store: '{$x?.title}',
    members: ['{x.current.title}', '{x.pending}'],
  },
  useCache: {
    call: `useCache(api.todo.get, ${args})`,
    store: '{$x?.title}',
    members: ['{x.current?.title}', '{x.pending}'],
  },
  useDLE: {
    call: `useDLE(api.todo.get, ${args})`,
    store: '{$x.data?.title}',
    members: ['{x.data?.title}', '{x.loading}', '{x.current.data?.title}'],
  },
  useQuery: {
    call: `useQuery(api.todo.get.schema, ${args})`,
    store: '{$x?.title}',
    members: ['{x.current?.title}'],
  },
  useFetch: {
    call: `useFetch(api.todo.get, ${args})`,
    store: '{#await $x then todo}{todo?.title}{/await}',
    members: ['{typeof x.current}'],
  },
  useProgress: {
    call: `useProgress(api.todo.get, ${args})`,
    store: '{$x?.loaded}',
    members: ['{x.current?.loaded}'],
  },
}
/** The hooks that show a title. */
const readers = ['useSuspense', 'useLive', 'useCache', 'useDLE', 'useQuery']

function script(isLegacy: boolean, calls: Readonly<Record<string, string>>): string {
  return `<script>
    import { ${Object.keys(uses).join(', ')} } from 'selfsame'
    ${isLegacy ? 'export let api; export let id' : 'const { api, id } = $props()'}
    ${Object.entries(calls)
      .map(([name, call]) => `const ${name} = ${call}`)
      .join('\n')}
  </script>`
}

/** Names the handle `a` or `b`. */
const as = (name: string, markup: string) => markup.replaceAll(/\bx\b/g, name)

/** The sources of components that show a hook's store in different surroundings, by component name. */
const sources: Record<string, string> = {}
const namesOf = new Map<string, string[]>()
for (const [hook, { call, store, members }] of Object.entries(uses)) {
  const names: string[] = []
  namesOf.set(hook, names)
  const add = (markup: string, isLegacy = false, other?: string) => {
    const name = `${hook}${names.length}`
    names.push(name)
    sources[name] =
      `${script(isLegacy, other === undefined ? { a: call } : { a: call, b: other })}\n${markup}`
  }
  const shown = as('a', `<output>${store}</output>`)
  const shownIfThere = as('a', `{#if $x}<output>${store}</output>{:else}<i></i>{/if}`)
  add(shown)
  add(shown, true)
  add(shownIfThere)
  add(shownIfThere, true)
  for (const member of members) {
    add(`${shown} <b>${as('a', member)}</b>`)
    add(`<b>${as('a', member)}</b> ${shownIfThere}`)
    add(as('a', `<output>${store}<!-- --> ${member}</output>`))
  }
  for (const other of Object.values(uses)) {
    add(`${shown} <b>${as('b', other.store)}</b>`, false, other.call)
    add(`${shown} <b>${as('b', other.store)}</b>`, true, other.call)
    for (const member of other.members) {
      add(`${shown} <b>${as('b', member)}</b>`, false, other.call)
    }
  }
}

describe.each([{}, { isProduction: true }, { isAsync: true }, { isAsync: true, isProduction: true }])(
  'a handle as a store in markup, compiled with %o',
  async (mode) => {
    const { mount, flush } = await compileMarkup('stores', sources, mode)

    /** Mounts each component of a hook on a page of its own. */
    function mountAll(hook: string) {
      const pages = (namesOf.get(hook) ?? []).map((name) => {
        const stage = createStage()
        const page = mount(name, stage)
        onTestFinished(page.unmount)
        return { ...stage, page, markup: `${name}: ${sources[name]?.split('</script>')[1]?.trim()}` }
      })
      const settle = async () => {
        for (let round = 0; round < 2; round++) {
          flush()
          await pages[0]?.settle()
        }
      }
      /** The markups whose output does not start with the text. */
      const wrong = (text: string) =>
        pages.filter(({ page }) => !page.output().startsWith(text)).map(({ markup }) => markup)
      return { pages, settle, wrong }
    }

    test.each(readers)('%s, alone and beside every other hook on the same call', async (hook) => {
      const { pages, settle, wrong } = mountAll(hook)
      expect(pages.length).toBeGreaterThan(20)
      await settle()
      for (const { api, controller } of pages) await controller.fetch(api.todo.get, { id: 5 })
      await settle()
      expect(wrong('Todo 5')).toEqual([])
      for (const { api, controller } of pages) {
        controller.set(api.todo.get.schema, { id: 5 }, { title: 'Changed' })
      }
      await settle()
      expect(wrong('Changed')).toEqual([])
      for (const { page } of pages) page.change(6)
      for (const { api, controller } of pages) await controller.fetch(api.todo.get, { id: 6 })
      await settle()
      expect(wrong('Todo 6')).toEqual([])
      for (const { controller, server } of pages) {
        server.route('GET /todo/6', todoFields(6, { title: 'Of another user' }))
        controller.resetAll()
      }
      await settle()
      expect(pages.filter(({ page }) => page.text().includes('Todo 6'))).toEqual([])
      for (const { api, controller } of pages) await controller.fetch(api.todo.get, { id: 6 })
      await settle()
      expect(wrong('Of another user')).toEqual([])
      for (const { page } of pages) await page.unmount()
      await settle()
      const left = pages.filter(({ controller }) => listenersOf(controller) + retainersOf(controller) > 0)
      expect(left.map(({ markup }) => markup)).toEqual([])
    })

    test('useFetch, alone and beside every other hook on the same call', async () => {
      const { pages, settle, wrong } = mountAll('useFetch')
      await settle()
      // A component that waited is remounted. By then the data is Valid, so it is excluded.
      expect(wrong('Todo 5').filter((markup) => !markup.includes('b.current.title'))).toEqual([])
      for (const { page } of pages) page.change(6)
      await settle()
      expect(wrong('Todo 6')).toEqual([])
    })

    test('useProgress, alone and beside every other hook on the same call', async () => {
      const { pages, settle, wrong } = mountAll('useProgress')
      await settle()
      const reports: (ProgressListener | undefined)[] = []
      for (const { api, controller, server } of pages) {
        server.hold('GET /todo/5')
        const get = api.todo.get.extend({
          fetchResponse(url, init, onProgress) {
            reports.push(onProgress)
            return server.fetch(url, init)
          },
        })
        void controller.fetch(get, { id: 5 })
      }
      await settle()
      for (const report of reports) report?.({ direction: 'download', loaded: 10, total: 40 })
      await settle()
      expect(wrong('10')).toEqual([])
      for (const { server } of pages) server.release()
      await settle()
      expect(pages.filter(({ page }) => page.output().startsWith('10'))).toEqual([])
    })
  },
)
