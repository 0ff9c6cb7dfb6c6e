import type { Runnable } from '../run.js'

/** The files of a sample, by name. The first is its component. */
export type Files = ReadonlyMap<string, string>

/** The text of each file that a live sample has. */
const texts = import.meta.glob<string>(
  [
    '../../../examples/{,optimistic/}api.ts',
    '../../../examples/TodoPair.{tsx,vue,svelte}',
    '../../../examples/guides/{EditTodo,MoreTodos,NumberedTodos}.{tsx,vue,svelte}',
    '../../../examples/handling/{TodoPage,TodoTitle}.{tsx,vue,svelte}',
    '../../../examples/optimistic/TodoList.{tsx,vue,svelte}',
    '../../../examples/play/{TwoViews,AddAndRemove}.{tsx,vue,svelte}',
  ],
  { query: '?raw', import: 'default' },
)

const extensions = { react: 'tsx', vue: 'vue', svelte: 'svelte' } as const

/** @param sample - a path below `docs/examples`, without extension @returns the sample, and what it imports of its own */
export async function filesOf(sample: string, framework: Runnable): Promise<Files> {
  const files = new Map<string, string>()
  await collect(`${sample}.${extensions[framework]}`)
  return files

  async function collect(path: string): Promise<void> {
    const name = path.replace(/.*\//, '')
    const load = texts[`../../../examples/${path}`]
    if (load === undefined) throw new Error(`The editor has no file ${path}.`)
    const text = await load()
    // In an application the API stands beside the component.
    files.set(name, text.replaceAll(`'../api`, `'./api`))
    for (const [, specifier = ''] of text.matchAll(/^ *import .* from '(\.[^']+)'/gm))
      await collect(fileOf(new URL(specifier, `file:///${path}`).pathname.slice(1)))
  }
}

/** `./api.js` and `./api` are the file `api.ts`. */
const fileOf = (path: string) => path.replace(/(?<!\.vue|\.svelte)$/, '.ts').replace(/\.js\.ts$/, '.ts')

/** Loads all files: for a page that works without a network. */
export async function loadAllTexts(): Promise<void> {
  await Promise.all(Object.values(texts).map((load) => load()))
}
