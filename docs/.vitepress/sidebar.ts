import { readSource, titleOf } from './pages.js'
import type { Page } from './pages.js'
import type { EntryPages } from './reference-pages.js'

interface Item {
  readonly text: string
  readonly link: string
}

interface Section {
  readonly text: string
  readonly items: Item[]
  readonly collapsed?: boolean
}

/** In the order in which a newcomer needs them. A text stands where the title of the page is too long. */
const order: readonly {
  text: string
  pages: readonly (string | [page: string, text: string])[]
  collapsed?: boolean
}[] = [
  {
    text: 'Start',
    pages: [
      ['what-it-is', 'What it is'],
      ['start', 'Start in five minutes'],
      ['concepts', 'Concepts'],
      ['comparison', 'How it compares'],
      ['faq', 'Questions and answers'],
    ],
  },
  {
    text: 'Describe your API',
    pages: [
      ['data-model', 'Records and lists'],
      ['maintained', 'Maintained queries'],
      ['rest', 'REST'],
      ['graphql', 'GraphQL'],
      ['openapi', 'From an API description'],
      ['standard-schema', 'zod, valibot, arktype'],
      ['own-schema', 'A schema of your own'],
    ],
  },
  {
    text: 'Read and write',
    pages: [
      ['reading', 'Several calls, page by page'],
      ['pagination', 'Pagination'],
      ['mutations', 'Mutations'],
      ['error-handling', 'Errors'],
      ['authentication', 'Authentication'],
      ['screens', 'Hooks for screens'],
      ['live', 'Live data'],
      ['media', 'Images and files'],
      ['recipes', 'Recipes'],
    ],
  },
  {
    text: 'Build an application',
    pages: [
      ['server-rendering', 'Server rendering'],
      ['outside-components', 'Outside components'],
      ['offline', 'Offline'],
      ['middleware', 'Middleware'],
      ['testing', 'Testing'],
      ['typescript', 'TypeScript'],
      ['performance', 'Performance'],
      ['devtools', 'The panel'],
      ['linter', 'The linter'],
      ['react-native', 'React Native'],
      ['development', 'Development builds'],
      ['legacy', 'The older generations'],
    ],
  },
  {
    text: 'Packages',
    collapsed: true,
    pages: [
      ['packages/core', '@selfsame/core'],
      ['packages/react', '@selfsame/react'],
      ['packages/vue', '@selfsame/vue'],
      ['packages/svelte', '@selfsame/svelte'],
    ],
  },
]

const more: readonly [page: string, text: string][] = [
  ['controller', 'The Controller'],
  ['errors/index', 'Error codes'],
  ['assistants', 'For coding assistants'],
  ['bundle-size', 'Bundle size'],
  ['benchmarks', 'Benchmarks'],
  ['versions', 'Versions and upgrades'],
  ['changelog', 'Changelog'],
  ['contributing', 'Contributing'],
  ['security', 'Security'],
  ['specification', 'Specification'],
]

/** The sections of the sidebar, with the pages that are there. */
export function sections(pages: readonly Page[]): Section[] {
  const linksTo = ([page, text]: readonly [string, string]): Item[] =>
    pages.some(({ target }) => target === `${page}.md`) ? [{ text, link: `/${page}.md` }] : []
  const inFolder = (folder: string) =>
    pages
      .filter(({ target }) => target.startsWith(`${folder}/`) && target !== `${folder}/index.md`)
      .map(({ source, target }) => ({ text: titleOf(readSource(source)), link: `/${target}` }))
      .sort((a, b) => a.text.localeCompare(b.text))
  const migrating = [...linksTo(['migrating/index', 'Overview']), ...inFolder('migrating')]
  return [
    ...order.map(({ text, pages: listed, collapsed }) => ({
      text,
      collapsed: collapsed ?? false,
      items: listed.flatMap((one) => linksTo(typeof one === 'string' ? [one, one] : one)),
    })),
    { text: 'Migrating', collapsed: true, items: migrating },
    { text: 'Reference', items: more.flatMap(linksTo) },
    { text: 'Error codes', collapsed: true, items: inFolder('errors') },
    { text: 'API', items: [{ text: 'Overview', link: '/reference/index.md' }] },
  ].filter(({ items }) => items.length > 0)
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
  return Object.fromEntries([...ofEntries, ['/reference/', [others()]], ['/', sections(pages)]])
}
