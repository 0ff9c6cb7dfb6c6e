import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { frameworkOf, frameworks } from '../.vitepress/frameworks.js'
import type { FrameworkId } from '../.vitepress/frameworks.js'

// The switch of the site keeps the reader's framework through all pages. So a
// section that shows a hook or a component in one
// framework shows it in the others. A section named after a framework, such as
// "Vue" or "Guards of Vue Router", counts for the
// section that it stands in.

const root = new URL('../../', import.meta.url)
const pages = [
  'README.md',
  ...readdirSync(new URL('docs', root), { recursive: true, encoding: 'utf8' })
    // The pages of the error codes and of the linter show the mistake where it
    // is made most often. Server rendering has a page for each framework.
    .filter(
      (name) =>
        name.endsWith('.md') &&
        !/^(\.|errors|linter|server-rendering\/)/.test(name),
    )
    .map((name) => `docs/${name}`),
]

const withHooks: readonly FrameworkId[] = ['react', 'vue', 'svelte']

/** Sections that need not show all frameworks, and why. */
const exceptions: readonly {
  page: string
  section: string
  shown: FrameworkId[]
  why: string
}[] = [
  {
    page: 'README.md',
    section: 'What it looks like',
    shown: ['react'],
    why: 'A code host has no switch. The other frameworks follow.',
  },
  {
    page: 'README.md',
    section: 'The same in other frameworks',
    shown: ['vue', 'svelte'],
    why: 'React stands above.',
  },
  {
    page: 'docs/live.md',
    section: 'One stream for the whole application',
    shown: [],
    why: 'It is the same in all of them.',
  },
  {
    page: 'docs/recipes.md',
    section: 'A search in the address',
    shown: ['react'],
    why: 'It depends on the router. The text tells what it does.',
  },
  ...['from-tanstack-query', 'from-apollo', 'from-swr', 'from-data-client'].map(
    (name) => ({
      page: `docs/migrating/${name}.md`,
      section: 'Before',
      shown: ['react' as const],
      why: 'It is code for another library, whose adapters use the same names.',
    }),
  ),
  {
    page: 'docs/migrating/from-data-client.md',
    section: 'After',
    shown: ['react', 'vue'],
    why: 'Reactive Data Client has no Svelte.',
  },
  ...['from-apollo', 'from-swr'].map((name) => ({
    page: `docs/migrating/${name}.md`,
    section: 'After',
    shown: ['react' as const],
    why: 'The library itself serves React.',
  })),
  ...['from-rtk-query', 'from-tanstack-db'].map((name) => ({
    page: `docs/migrating/${name}.md`,
    section: 'What you type today',
    shown: ['react' as const],
    why: 'It is code for another library.',
  })),
  {
    page: 'docs/migrating/from-rtk-query.md',
    section: 'What you type here',
    shown: ['react'],
    why: 'The hooks of RTK Query are for React.',
  },
  ...['What you type today', 'What you type here'].map((section) => ({
    page: 'docs/migrating/from-pinia-colada.md',
    section,
    shown: ['vue' as const],
    why: 'Pinia Colada is for Vue.',
  })),
  ...['from-4.5', 'from-5.1'].flatMap((name) =>
    ['Before', 'After', 'One call at a time'].map((section) => ({
      page: `docs/migrating/${name}.md`,
      section,
      shown: ['react' as const],
      why: 'Rest Hooks was for React only.',
    })),
  ),
]

/**
 * Sections with a sample that is the same in all frameworks, word for word, so
 * that it needs no label.
 */
const sameInAll: readonly { page: string; section: string }[] = [
  { page: 'docs/data-model.md', section: 'Queries' },
  { page: 'docs/pagination.md', section: 'Infinite scroll' },
  { page: 'docs/live.md', section: 'One stream for the whole application' },
]

interface Section {
  readonly title: string
  readonly level: number
  /** Whether it stands in a section that is named after a framework. */
  readonly isOwn: boolean
  /**
   * The frameworks of its code, by whether it shows a hook or a component.
   * `undefined` for a fence that names none.
   */
  readonly fences: { framework: FrameworkId | undefined; hasHook: boolean }[]
}

const isHook =
  /\buse[A-Z]\w*\(|<(?:DataProvider|AsyncBoundary)\b|from '@selfsame\/(?:react|vue|svelte)/
const namesFramework =
  /\b(?:React|Vue|Svelte|Next|Nuxt|SvelteKit|Pinia|TanStack Router)\b/

/**
 * Headings with the code below them. That of sections named after a framework
 * counts for the section around them.
 */
function sectionsOf(text: string): Section[] {
  const sections: Section[] = [
    { title: '', level: 0, isOwn: false, fences: [] },
  ]
  for (const [, marks, title = '', info = '', code = ''] of text.matchAll(
    /^(#+) (.+)$|^```(\w.*)\n([\s\S]*?)^```$/gm,
  )) {
    if (marks === undefined)
      sections.at(-1)?.fences.push({
        framework: frameworkIn(info, code),
        hasHook: isHook.test(code),
      })
    else {
      const level = marks.length
      const around = sections.findLast((section) => section.level < level)
      const isOwn =
        around?.isOwn === true || (level > 1 && namesFramework.test(title))
      sections.push({
        title,
        level,
        isOwn,
        fences: isOwn && around !== undefined ? around.fences : [],
      })
    }
  }
  return sections
}

/**
 * The framework that a fence names, else that whose binding its code imports.
 */
function frameworkIn(info: string, code: string): FrameworkId | undefined {
  return (
    frameworkOf(info) ??
    withHooks.find((name) => code.includes(`from '@selfsame/${name}`))
  )
}

/** The sections that show a hook, with the frameworks that they show it in. */
function shownOn(
  page: string,
): { title: string; shown: (FrameworkId | undefined)[] }[] {
  const seen = new Set<Section['fences']>()
  return sectionsOf(readFileSync(new URL(page, root), 'utf8')).flatMap(
    ({ title, fences }) => {
      if (seen.has(fences) || !fences.some(({ hasHook }) => hasHook)) return []
      seen.add(fences)
      const code = fences.filter(
        ({ framework, hasHook }) => framework !== undefined || hasHook,
      )
      return [
        { title, shown: [...new Set(code.map(({ framework }) => framework))] },
      ]
    },
  )
}

const exceptionsOf = (page: string) =>
  exceptions.filter((exception) => exception.page === page)

test.each(pages)('%s shows hooks in each framework', (page) => {
  const missing = shownOn(page).flatMap(({ title, shown }) => {
    const needed =
      exceptionsOf(page).find(({ section }) => section === title)?.shown ??
      withHooks
    return [
      ...needed
        .filter((framework) => !shown.includes(framework))
        .map((name) => `${title}: no ${name}`),
      ...(shown.includes(undefined) &&
      !sameInAll.some((same) => same.page === page && same.section === title)
        ? [`${title}: a sample with a hook has no label, such as [Vue]`]
        : []),
    ]
  })
  expect(missing).toEqual([])
})

test('each exception is needed', () => {
  const idle = exceptions.filter(({ page, section, shown }) => {
    const found = shownOn(page).find(({ title }) => title === section)
    return (
      found === undefined ||
      shown.length === withHooks.length ||
      found.shown.length > shown.length + 1
    )
  })
  expect(idle).toEqual([])
  expect(frameworks.map(({ id }) => id)).toEqual([...withHooks, 'typescript'])
})
