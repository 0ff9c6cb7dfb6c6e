import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Api } from '@selfsame/conformance'
import type { Controller } from '@selfsame/core'
import { compile } from '../compile.js'
import type { Mode } from '../compile.js'
import type { Page } from './pages.svelte.js'

/** Components, compiled as in an application. */
export interface Markup {
  /** Mounts a component in a provider and a boundary. Its props are `api`, and an `id` that is 5 at first. */
  mount(name: string, props: { readonly api: Api; readonly controller: Controller }): Page
  /** Runs the effects of the components' own copy of Svelte. */
  flush(): void
}

/**
 * Compiles components as an application does. They import the binding as `selfsame`.
 *
 * @param title - the name of the output folder
 * @param sources - the source of each component, by its name
 */
export async function compileMarkup(
  title: string,
  sources: Readonly<Record<string, string>>,
  mode: Mode,
): Promise<Markup> {
  const folder = join(import.meta.dirname, '../dist', title)
  mkdirSync(folder, { recursive: true })
  const names = Object.keys(sources)
  for (const name of names) writeFileSync(join(folder, `${name}.svelte`), sources[name] ?? '')
  const entry = join(folder, 'index.ts')
  writeFileSync(
    entry,
    [
      `export * from '../../markup/pages.svelte.js'`,
      ...names.map((name) => `export { default as ${name} } from './${name}.svelte'`),
    ].join('\n'),
  )
  const { mountPage, flushSync, ...components } = await compile(entry, folder, mode)
  return {
    mount: (name, props) =>
      (mountPage as (component: unknown, given: typeof props) => Page)(components[name], props),
    flush: flushSync as () => void,
  }
}
