/** The frameworks that a reader can choose, in the order of their tabs. */
export const frameworks = [
  { id: 'react', name: 'React' },
  { id: 'vue', name: 'Vue' },
  { id: 'svelte', name: 'Svelte' },
  { id: 'typescript', name: 'TypeScript' },
] as const

export type FrameworkId = (typeof frameworks)[number]['id']

/** The key of the choice in `localStorage`. */
export const storageKey = 'selfsame-docs-framework'

const byLanguage: Readonly<Record<string, FrameworkId>> = { tsx: 'react', vue: 'vue', svelte: 'svelte' }

/**
 * The framework of a code fence, told by its label (```` ```ts [Vue] ````), else by its language.
 *
 * @returns `undefined` for code that is the same in all of them
 */
export function frameworkOf(info: string): FrameworkId | undefined {
  const [, language = '', label] = /^(\w*)(?:.*\[(.+)\])?/.exec(info.trim()) ?? []
  if (label !== undefined) return frameworks.find(({ name }) => name === label)?.id
  return byLanguage[language]
}
