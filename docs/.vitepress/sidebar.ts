import { readSource, titleOf } from './pages.js'
import type { Page } from './pages.js'
import type { EntryPages } from './reference-pages.js'

interface Item {
  readonly text: string
  readonly link: string
}

interface Section {
  readonly text: string
  readonly items: (Item | Section)[]
  readonly collapsed?: boolean
}

/** A page, with the text of its entry. */
type Listed = readonly [page: string, text: string]

interface Group {
  readonly text: string
  readonly pages: readonly Listed[]
  /** Folded, below the pages of the group. */
  readonly more?: Group
}

/** By the reader's task, in the order in which a newcomer needs them. */
const groups: readonly Group[] = [
  {
    text: 'Start',
    pages: [
      ['what-it-is', 'What it is'],
      ['start', 'Start in five minutes'],
      ['play', 'Playground'],
      ['concepts', 'Concepts'],
      ['defaults', 'Important defaults'],
      ['hooks', 'All hooks'],
      ['comparison', 'How it compares'],
      ['faq', 'FAQ'],
    ],
    more: {
      text: 'Migrating',
      pages: [
        ['migrating/index', 'Overview'],
        ['migrating/from-tanstack-query', 'TanStack Query'],
        ['migrating/from-swr', 'SWR'],
        ['migrating/from-apollo', 'Apollo Client'],
        ['migrating/from-rtk-query', 'RTK Query'],
        ['migrating/from-pinia-colada', 'Pinia Colada'],
        ['migrating/from-tanstack-db', 'TanStack DB'],
        ['migrating/from-data-client', 'Reactive Data Client'],
        ['migrating/from-5.1', 'Rest Hooks 5.1'],
        ['migrating/from-4.5', 'Rest Hooks 4.5'],
        ['legacy', 'Older generations'],
      ],
    },
  },
  {
    text: 'Describe your data',
    pages: [
      ['data-model', 'Records and lists'],
      ['rest', 'REST'],
      ['graphql', 'GraphQL'],
      ['openapi', 'OpenAPI'],
      ['standard-schema', 'zod, valibot, ArkType'],
      ['typescript', 'TypeScript'],
    ],
  },
  {
    text: 'Read',
    pages: [
      ['reading', 'Read data'],
      ['pagination', 'Pagination'],
      ['error-handling', 'Errors'],
      ['live', 'Live data'],
      ['media', 'Images and files'],
      ['recipes', 'Recipes'],
    ],
  },
  {
    text: 'Write',
    pages: [
      ['mutations', 'Mutations'],
      ['optimistic', 'Optimistic updates'],
      ['offline', 'Offline'],
    ],
  },
  {
    text: 'Go to production',
    pages: [
      ['authentication', 'Sign in and out'],
      ['server-rendering', 'Server rendering'],
      ['server-rendering/react', 'with React and Next'],
      ['server-rendering/vue', 'with Vue and Nuxt'],
      ['server-rendering/svelte', 'with SvelteKit'],
      ['server-rendering/astro', 'with Astro'],
      ['testing', 'Testing'],
      ['devtools', 'Devtools'],
      ['linter', 'ESLint plugin'],
      ['performance', 'Performance'],
      ['bundle-size', 'Bundle size'],
    ],
  },
  {
    text: 'Advanced',
    pages: [
      ['controller', 'The Controller'],
      ['outside-components', 'Outside components'],
      ['middleware', 'Middleware'],
      ['maintained', 'Maintained queries'],
      ['own-schema', 'Your own schemas'],
      ['react-native', 'React Native'],
      ['development', 'Development builds'],
      ['assistants', 'Coding assistants'],
    ],
    more: {
      text: 'Look up',
      pages: [
        ['errors/index', 'Error codes'],
        ['specification', 'Specification'],
        ['benchmarks', 'Benchmarks'],
        ['versions', 'Versions and upgrades'],
        ['changelog', 'Changelog'],
        ['contributing', 'Contributing'],
        ['security', 'Security'],
      ],
    },
  },
]

/**
 * The sections of the sidebar, with the pages that are there.
 *
 * @param open - the folded group that is open: on its own pages it would open late, and move what is below it
 */
export function sections(pages: readonly Page[], open?: string): Section[] {
  const isThere = (page: string) => pages.some(({ target }) => target === `${page}.md`)
  const sectionOf = ({ text, pages: listed, more }: Group): Section => ({
    text,
    items: [
      ...listed
        .filter(([page]) => isThere(page))
        .map(([page, label]) => ({ text: label, link: `/${page}.md` })),
      ...(more === undefined ? [] : [{ ...sectionOf(more), collapsed: more.text !== open }]),
    ],
  })
  return groups.map(sectionOf)
}

/** The sections of the sidebar, and the pages that have one of their own. */
export const allSections = (pages: readonly Page[]): Section[] => [
  ...sections(pages),
  errorCodes(pages),
  packages,
]

/** The entries of a section, and of those in it. */
export const entriesIn = ({ items }: Section): Item[] =>
  items.flatMap((item) => ('link' in item ? [item] : entriesIn(item)))

const errorCodes = (pages: readonly Page[]): Section => ({
  text: 'Error codes',
  items: [
    { text: 'Overview', link: '/errors/index.md' },
    ...pages
      .filter(({ target }) => target.startsWith('errors/') && target !== 'errors/index.md')
      .map(({ source, target }) => ({ text: titleOf(readSource(source)), link: `/${target}` }))
      .sort((a, b) => a.text.localeCompare(b.text)),
  ],
})

const packages: Section = {
  text: 'Packages',
  items: ['core', 'react', 'vue', 'svelte'].map((name) => ({
    text: `@selfsame/${name}`,
    link: `/packages/${name}.md`,
  })),
}

/** The sidebar of the guides, and one for each entry of the reference: its hooks, classes and functions, and the other entries. */
export function sidebars(
  pages: readonly Page[],
  reference: readonly EntryPages[],
): Record<string, Section[]> {
  const overview = { text: 'Overview', link: '/reference/index.md' }
  const others = (entry?: EntryPages) => ({
    text: entry === undefined ? 'API' : 'Other imports',
    collapsed: entry !== undefined,
    items: [
      overview,
      ...reference
        .filter((other) => other !== entry)
        .map(({ title, target }) => ({ text: title, link: `/${target}` })),
    ],
  })
  const ofEntries = reference.flatMap((entry) => {
    const section = {
      text: entry.title,
      items: [
        { text: 'Overview', link: `/${entry.target}` },
        ...entry.pages.map(({ name, target }) => ({ text: name, link: `/${target}` })),
      ],
    }
    const sidebar = [section, others(entry)]
    return [
      [`/${entry.target}`, sidebar],
      [`/${entry.target.replace(/\.md$/, '/')}`, sidebar],
    ] as const
  })
  return Object.fromEntries([
    ...ofEntries,
    ['/reference/', [others(), packages]],
    ['/packages/', [packages, others()]],
    [
      '/errors/',
      [errorCodes(pages), { text: 'Guide', items: [{ text: 'Errors', link: '/error-handling.md' }] }],
    ],
    ['/migrating/', sections(pages, 'Migrating')],
    ['/legacy', sections(pages, 'Migrating')],
    ['/', sections(pages)],
  ])
}
