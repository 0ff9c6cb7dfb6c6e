import type { MockController } from '@selfsame/core/testing'

/** The frameworks in which a sample can run. */
export type Runnable = 'react' | 'vue' | 'svelte'

/** What a sample gets: the attributes of its marker in the page. */
export type Props = Readonly<Record<string, unknown>>

/** Where a sample runs, and with what. */
export interface Stage {
  readonly target: HTMLElement
  readonly props: Props
  readonly controller: MockController
  /** Called with what the code of the sample throws. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** Mounts a component below a provider and a boundary. @returns a function that removes it */
export type Mount<Component> = (component: Component, stage: Stage) => () => void

/** The samples that a page may run, by their path: each is a chunk of its own. */
const modules = import.meta.glob<Record<string, unknown>>([
  '../../examples/TodoPair.{tsx,vue,svelte}',
  '../../examples/guides/{EditTodo,MoreTodos,NumberedTodos}.{tsx,vue,svelte}',
  '../../examples/handling/TodoPage.{tsx,vue,svelte}',
  '../../examples/optimistic/TodoList.{tsx,vue,svelte}',
  '../../examples/play/{TwoViews,AddAndRemove}.{tsx,vue,svelte}',
])

const extensions = { react: 'tsx', vue: 'vue', svelte: 'svelte' } as const

/**
 * @param sample - a path below `docs/examples`, without extension: `guides/EditTodo`
 * @param edited - what runs instead of it
 */
export async function run(
  sample: string,
  framework: Runnable,
  stage: Stage,
  edited?: unknown,
): Promise<() => void> {
  const load = modules[`../../examples/${sample}.${extensions[framework]}`]
  if (load === undefined) throw new Error(`There is no live sample ${sample} in ${framework}.`)
  const [module, { mount }] = await Promise.all([load(), mounts[framework]()])
  const component = edited ?? module['default'] ?? module[sample.replace(/.*\//, '')]
  return (mount as Mount<unknown>)(component, stage)
}

const mounts = {
  react: () => import('./react.js'),
  vue: () => import('./vue.js'),
  svelte: () => import('./svelte.js'),
}

/** Loads all samples, and what mounts them: for a page that works without a network. */
export async function loadAll(): Promise<void> {
  await Promise.all([...Object.values(modules), ...Object.values(mounts)].map((load) => load()))
}
