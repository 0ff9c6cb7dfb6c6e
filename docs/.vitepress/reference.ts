import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { Application } from 'typedoc'
import { root } from './pages.js'

/** A page that is made when the site is built. */
export interface MadePage {
  readonly target: string
  readonly text: string
}

/** An export of a package: the name by which an application imports it, and its source. */
interface Entry {
  readonly name: string
  readonly file: string
}

/** What an application imports from: all exports, except those of which bindings of frameworks are made. */
export const entries: readonly Entry[] = [
  'core',
  'bindings/react',
  'bindings/vue',
  'bindings/svelte',
].flatMap((folder) => {
  const { name, exports } = JSON.parse(readFileSync(`${root}${folder}/package.json`, 'utf8')) as {
    name: string
    exports: Record<string, { 'selfsame-source'?: string }>
  }
  return Object.entries(exports).flatMap(([path, { 'selfsame-source': source }]) =>
    source === undefined || path === './bindings'
      ? []
      : [{ name: name + path.slice(1), file: `${folder}/${source.slice(2)}` }],
  )
})

/** `@selfsame/core/rest` stands in `reference/core-rest.md`. */
export const referenceTarget = (name: string) =>
  `reference/${name.replace('@selfsame/', '').replace('/', '-')}.md`

/** The folder of the sources that an export comes from: `schema` for `export { Entity } from './schema/entity.js'`. */
export function folderOf(target: string, name: string): string | undefined {
  const file = entries.find((entry) => referenceTarget(entry.name) === target)?.file
  if (file === undefined) return undefined
  const exported = readFileSync(`${root}${file}`, 'utf8').matchAll(
    /^export (?:type )?\{([^}]*)\} from '\.\/(\w+)\//gm,
  )
  return [...exported].find(([, names = '']) => new RegExp(`\\b${name}\\b`).test(names))?.[2]
}

const cache = `${root}docs/.vitepress/cache`

/**
 * The API reference, made of the docstrings: a page for each entry of a package, without what is marked as internal. Made again only
 * when a source changes.
 */
export async function referencePages(): Promise<MadePage[]> {
  const file = `${cache}/reference-${sourceHash()}.json`
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as MadePage[]
  const pages = [indexPage(), ...(await generate())]
  for (const { name } of entries) {
    const target = referenceTarget(name)
    if (!pages.some((page) => page.target === target))
      throw new Error(`The reference has no page of ${name}.`)
  }
  mkdirSync(cache, { recursive: true })
  for (const name of readdirSync(cache))
    if (name.startsWith('reference-')) rmSync(`${cache}/${name}`, { recursive: true })
  writeFileSync(file, JSON.stringify(pages))
  return pages
}

function sourceHash(): string {
  const hash = createHash('sha256')
  for (const folder of [
    'core/src',
    'bindings/react/src',
    'bindings/vue/src',
    'bindings/svelte/src',
    'docs/.vitepress',
  ]) {
    for (const name of readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).sort()) {
      if (!/\.(tsx?|svelte)$/.test(name) || /\.test(-d)?\.|^(pages|cache|dist)\//.test(name)) continue
      hash.update(name).update(readFileSync(`${root}${folder}/${name}`))
    }
  }
  return hash.digest('hex').slice(0, 16)
}

async function generate(): Promise<MadePage[]> {
  const out = `${cache}/typedoc`
  const app = await Application.bootstrapWithPlugins({
    entryPoints: entries.map(({ file }) => `${root}${file}`),
    tsconfig: `${root}docs/.vitepress/tsconfig.reference.json`,
    basePath: root,
    plugin: ['typedoc-plugin-markdown'],
    outputs: [{ name: 'markdown', path: out }],
    readme: 'none',
    groupOrder: ['Classes', 'Functions', 'Variables', 'Interfaces', 'Type Aliases', '*'],
    excludeInternal: true,
    excludePrivate: true,
    excludeExternals: true,
    disableSources: true,
    skipErrorChecking: true,
    validation: false,
    logLevel: 'Error',
    ...({
      outputFileStrategy: 'modules',
      hidePageHeader: true,
      hideBreadcrumbs: true,
      useCodeBlocks: true,
      useHTMLAnchors: true,
      expandObjects: false,
      sanitizeComments: true,
      parametersFormat: 'table',
      propertiesFormat: 'table',
      enumMembersFormat: 'table',
      typeDeclarationFormat: 'table',
      tableColumnSettings: {
        hideModifiers: true,
        hideSources: true,
        hideInherited: true,
        hideOverrides: true,
      },
    } as object),
  })
  const project = await app.convert()
  if (project === undefined) throw new Error('The API reference cannot be made: see the errors above.')
  await app.generateOutputs(project)
  const pages = readPages(out)
  rmSync(out, { recursive: true })
  return pages
}

/** The pages that typedoc wrote, under the names of the entries. */
function readPages(out: string): MadePage[] {
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  const targets = new Map(files.map((name) => [name, targetOf(name)]))
  return files.flatMap((name) => {
    const target = targets.get(name)
    if (target === undefined) return []
    const text = readFileSync(`${out}/${name}`, 'utf8')
      // Anchors are those of the headings.
      .replace(/<a id="([^"]+)"><\/a>\n+(#+ .*)/g, '$2 {#$1}')
      .replace(/^(#+ See\n+)specification/gm, '$1[specification](/specification.md)')
      .replace(/^# .*$/m, `# ${nameOf(target)}`)
      // The class of an error stands in braces in the source.
      .replace(/\\\{(\w+Error)\\\}/g, '`$1`')
      .replace(/(?<!`)\{(\w+Error)\}/g, '`$1`')
      // A parameter that is taken apart in the source has no name there.
      .replace(/(?:\\?_){2}namedParameters/g, 'options')
      .replace(/\]\(([^)#\s]*\.md)(#[^)\s]*)?\)/g, (_, link: string, hash = '') => {
        const linked = targets.get(posix.normalize(posix.join(posix.dirname(name), link)))
        return linked === undefined ? `](${link}${hash})` : `](/${linked}${hash})`
      })
    return [{ target, text }]
  })
}

/** `core/src/README.md`, `core/src/rest.md`, `core/src/namespaces/schema.md`, `bindings/react/src/testing.md` … */
function targetOf(name: string): string | undefined {
  const [, namespace] = /^core\/src\/namespaces\/(\w+)\.md$/.exec(name) ?? []
  if (namespace !== undefined) return `reference/core-namespace-${namespace}.md`
  const [, file] = /^(.*?)(?:\/README)?\.md$/.exec(name) ?? []
  const entry = entries.find((one) => one.file.replace(/(\/index)?\.tsx?$/, '') === file)
  return entry && referenceTarget(entry.name)
}

function nameOf(target: string): string {
  const entry = entries.find(({ name }) => referenceTarget(name) === target)
  return entry?.name ?? `The namespace \`${/namespace-(\w+)/.exec(target)?.[1]}\` of @selfsame/core`
}

/** The imports by what they are for, with a line each. */
const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Describe and fetch': {
    '@selfsame/core': 'Entity, schemas, Endpoint and the Controller',
    '@selfsame/core/rest': 'resources and endpoints of a REST server',
    '@selfsame/core/graphql': 'endpoints of a GraphQL server',
    '@selfsame/core/media': 'files, images, and the progress of a transfer',
    '@selfsame/core/zod': 'an Entity class from a zod object',
    '@selfsame/core/valibot': 'an Entity class from a valibot object',
    '@selfsame/core/arktype': 'an Entity class from an ArkType object',
    '@selfsame/core/standard-schema': 'a class as the validator of a form',
  },
  React: {
    '@selfsame/react': 'hooks, `DataProvider` and `AsyncBoundary`',
    '@selfsame/react/ssr': 'rendering on a server',
    '@selfsame/react/next': 'Next, in server components',
    '@selfsame/react/next/client': 'Next, in client components',
    '@selfsame/react/testing': 'rendering hooks in tests',
    '@selfsame/react/devtools': 'the panel as a component',
    '@selfsame/react/legacy': 'the hooks of Rest Hooks 4.5 and 5.1',
  },
  Vue: {
    '@selfsame/vue': 'composables, `dataPlugin` and `AsyncBoundary`',
    '@selfsame/vue/ssr': 'rendering on a server',
    '@selfsame/vue/nuxt': 'Nuxt',
    '@selfsame/vue/testing': 'rendering composables in tests',
    '@selfsame/vue/devtools': 'the panel as a component',
    '@selfsame/vue/legacy': 'the hooks of Rest Hooks 4.5 and 5.1',
  },
  Svelte: {
    '@selfsame/svelte': 'hooks, `DataProvider` and `AsyncBoundary`',
    '@selfsame/svelte/ssr': 'rendering on a server',
    '@selfsame/svelte/kit': 'SvelteKit',
    '@selfsame/svelte/testing': 'rendering hooks in tests',
    '@selfsame/svelte/devtools': 'the panel as a component',
    '@selfsame/svelte/legacy': 'the hooks of Rest Hooks 4.5 and 5.1',
  },
  'Change lists and values': {
    '@selfsame/core/optimistic': 'shows a mutation before the server answers',
    '@selfsame/core/rules': 'which records belong to a list, and where',
    '@selfsame/core/maintained': 'queries that recompute only what changed',
  },
  'Keep fresh, and offline': {
    '@selfsame/core/live': 'polling, WebSockets, server-sent events',
    '@selfsame/core/policies': 'retry, refetch on focus and reconnect, logger',
    '@selfsame/core/outbox': 'mutations that outlast a reload',
    '@selfsame/core/persist': 'data that outlasts a reload',
    '@selfsame/core/storage': 'where both keep their rows',
    '@selfsame/core/tabs': 'tabs that show the same data',
  },
  'Test, render, inspect': {
    '@selfsame/core/testing': 'fixtures, a mock Controller, a clock',
    '@selfsame/core/hydration': 'carries the cache from a server to a page',
    '@selfsame/core/inspect': 'what a devtool reads of a Controller',
    '@selfsame/core/changes': 'a stream of what each action changed',
    '@selfsame/core/legacy': 'the generations 4.5 and 5.1, on the same cache',
  },
}

/** What an entry is for. @throws Error if nothing says it */
export function purposeOf(name: string): string {
  const purpose = Object.values(groups).find((lines) => name in lines)?.[name]
  if (purpose === undefined) throw new Error(`The reference does not say what ${name} is for.`)
  return purpose
}

function indexPage(): MadePage {
  for (const { name } of entries) purposeOf(name)
  const there = new Set(entries.map(({ name }) => name))
  const sections = Object.entries(groups).map(([title, lines]) => {
    const list = Object.entries(lines)
      .filter(([name]) => there.has(name))
      .map(([name, purpose]) => `- [\`${name}\`](/${referenceTarget(name)}): ${purpose}`)
    return `## ${title}\n\n${list.join('\n')}\n`
  })
  return {
    target: 'reference/index.md',
    text: `# API reference

Every public export, by import path. [All hooks](/hooks.md) has the hooks with a line each.

${sections.join('\n')}`,
  }
}
