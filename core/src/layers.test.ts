import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

const project = fileURLToPath(new URL('../../', import.meta.url))

/**
 * The stages that a stage may import, besides `util/`, `errors.ts` and what the named stages may import. Types count: a
 * cycle of types leaves no file to start reading with.
 */
const layers: Readonly<Record<string, readonly string[]>> = {
  util: [],
  errors: [],
  schema: [],
  normalize: ['schema'],
  denormalize: ['schema'],
  store: ['normalize', 'denormalize'],
  endpoint: ['schema'],
  lists: ['store'],
  rest: ['endpoint', 'lists'],
  graphql: ['endpoint'],
  controller: ['store', 'endpoint'],
  observer: ['controller'],
  live: ['observer', 'rest', 'graphql'],
  testing: ['observer', 'rest', 'live'],
  legacy: ['observer', 'rest'],
  media: ['controller', 'rest'],
  policies: ['controller'],
  changes: ['controller', 'lists'],
  hydration: ['observer', 'lists'],
  optimistic: ['controller', 'rest'],
  rules: ['lists', 'denormalize'],
  storage: [],
  platform: ['storage'],
  outbox: ['controller', 'platform', 'hydration'],
  persist: ['controller', 'platform', 'hydration', 'changes'],
  tabs: ['controller', 'platform', 'hydration', 'changes'],
  inspect: ['observer'],
  'standard-schema': ['schema'],
  maintained: ['store'],
}

/** The framework packages that a binding needs. */
const frameworks: Readonly<Record<string, readonly string[]>> = {
  react: ['react', 'react-dom', 'react-native', '@react-navigation/native'],
  vue: ['vue'],
  // Svelte's own way to distinguish a server from a browser.
  svelte: ['svelte', 'esm-env'],
}

/** What the entries for a framework around a framework need. Nothing else imports it. */
const metaFrameworks: readonly { readonly files: RegExp; readonly packages: readonly string[] }[] = [
  { files: /^bindings\/react\/src\/next\//, packages: ['next'] },
  // Nuxt loads the plugins as modules of the application, so they name their own package as the application does.
  { files: /^bindings\/vue\/src\/nuxt(\.|\/)/, packages: ['@nuxt/kit', '#app', '@selfsame/vue'] },
  { files: /^bindings\/svelte\/src\/kit\.ts$/, packages: ['@sveltejs/kit'] },
  {
    files:
      /^bindings\/\w+\/src\/(devtools\.ts|SelfsameDevtools\.svelte)$|^conformance\/src\/scenarios\/why(-states)?\.ts$/,
    packages: ['@selfsame/devtools'],
  },
]

const skipped = new Set(['node_modules', 'dist', 'dist-development', 'build', 'coverage'])

function filesBelow(folder: string): string[] {
  return readdirSync(join(project, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.') || skipped.has(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

const textOf = (file: string) => readFileSync(join(project, file), 'utf8')
const isSource = (file: string) => /\.(ts|tsx|mts|svelte|vue)$/.test(file)
const isTest = (file: string) => /\.test(-d)?\.tsx?$|(^|\/)testing-[^/]*$/.test(file)
/** The files of a binding that are not published: its tests, its driver and their components. */
const isBindingTest = (file: string) => isTest(file) || !file.split(sep).includes('src')

/** The specifiers that a file imports, including `import type` and `import()`. */
function importsOf(file: string): string[] {
  const text = textOf(file)
  const scripts = /\.(svelte|vue)$/.test(file)
    ? [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, script]) => script!)
    : [text]
  return scripts.flatMap((script) =>
    ts.preProcessFile(script, true, true).importedFiles.map(({ fileName }) => fileName),
  )
}

/**
 * The groups of files that import each other in a cycle of any length. Types count.
 *
 * @param imports - the imports of each file
 */
function cyclesIn(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  /** All files that a file reaches; includes the file itself only in a cycle. */
  const reach = (from: string) => {
    const found = new Set(imports.get(from))
    // A set grows while it is gone through.
    for (const next of found) for (const target of imports.get(next) ?? []) found.add(target)
    return found
  }
  const reached = new Map([...imports.keys()].map((file) => [file, reach(file)]))
  const groups = [...reached].flatMap(([file, targets]) =>
    targets.has(file) ? [[...targets].filter((target) => reached.get(target)?.has(file)).sort()] : [],
  )
  // Each file of a cycle has the same group.
  return [...new Map(groups.map((group) => [group.join(), group])).values()]
}

const isRelative = (specifier: string) => specifier.startsWith('.')
/** The target of a relative import, as a path from the project's root. */
const targetOf = (file: string, specifier: string) =>
  relative(project, resolve(project, dirname(file), specifier)).replace(/\.js$/, '.ts')
/** `@a/b` of `@a/b/c`, `a` of `a/b`. */
const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

describe('in core', () => {
  const files = filesBelow('core/src').filter((file) => isSource(file) && !isTest(file))
  /** The folder of a file of core; `errors`; or the name of an entry. */
  const stageOf = (file: string) => relative('core/src', file).split(sep)[0]!.replace(/\.ts$/, '')
  const isEntry = (file: string) => dirname(file) === join('core', 'src') && stageOf(file) !== 'errors'

  function reachableFrom(stage: string): Set<string> {
    const found = new Set(['util', 'errors', stage])
    // A set grows while it is gone through.
    for (const next of found) for (const below of layers[next] ?? []) found.add(below)
    if (stage === 'util' || stage === 'errors') found.delete(stage === 'util' ? 'errors' : 'util')
    return found
  }

  test('there are files, each in a stage or an entry', () => {
    expect(files.length).toBeGreaterThan(30)
    const unknown = files.filter((file) => !isEntry(file) && !Object.hasOwn(layers, stageOf(file)))
    expect(unknown).toEqual([])
  })

  test('the files beside the stages are the entries of the package, and errors', () => {
    const { exports } = JSON.parse(textOf('core/package.json')) as {
      exports: Record<string, { 'selfsame-source'?: string }>
    }
    const entries = Object.values(exports).flatMap((conditions) => conditions['selfsame-source'] ?? [])
    const beside = files.filter(isEntry).map((file) => `./${relative('core', file)}`)
    expect(beside.sort()).toEqual(entries.sort())
  })

  test('a stage imports only what stands below it, and no package', () => {
    const violations = files.flatMap((file) =>
      importsOf(file).flatMap((specifier) => {
        // A switch between two modules, by an export condition.
        if (specifier === '#development' || specifier === '#signals') return []
        if (!isRelative(specifier)) return [`${file} imports the package ${specifier}`]
        const target = targetOf(file, specifier)
        if (!target.startsWith(join('core', 'src') + sep))
          return [`${file} imports ${target}, outside of core/src`]
        if (isEntry(target)) return [`${file} imports the entry ${target}`]
        if (isEntry(file) || reachableFrom(stageOf(file)).has(stageOf(target))) return []
        return [`${file} (${stageOf(file)}) imports ${target} (${stageOf(target)})`]
      }),
    )
    expect(violations).toEqual([])
  })

  test('no files import each other in a circle, types counted', () => {
    const imports = files.map((file): [string, string[]] => [
      file,
      importsOf(file)
        .filter(isRelative)
        .map((specifier) => targetOf(file, specifier)),
    ])
    expect(cyclesIn(new Map(imports))).toEqual([])
  })

  // An application bundles these only if it imports their entries. The imports of tests are not published.
  /** The entries of a stage that has several. */
  const entriesOf: Readonly<Record<string, readonly string[]>> = {
    'standard-schema': ['standard-schema', 'zod', 'valibot', 'arktype'],
  }
  test.each([
    'legacy',
    'policies',
    'hydration',
    'changes',
    'live',
    'optimistic',
    'rules',
    'outbox',
    'persist',
    'tabs',
    'standard-schema',
  ])('nothing imports %s but its entry', (stage) => {
    const importers = files.filter(
      (file) =>
        stageOf(file) !== stage &&
        stageOf(file) !== 'testing' &&
        // Entries of their own, which bring them.
        stageOf(file) !== 'outbox' &&
        stageOf(file) !== 'persist' &&
        stageOf(file) !== 'tabs' &&
        importsOf(file).some(
          (specifier) => isRelative(specifier) && stageOf(targetOf(file, specifier)) === stage,
        ),
    )
    const own = entriesOf[stage] ?? [stage]
    expect(importers.filter((file) => !isEntry(file) || !own.includes(stageOf(file)))).toEqual([])
  })
})

test('a cycle is told by all of its files, and only by these', () => {
  const imports = new Map([
    ['entry', ['a', 'leaf']],
    ['a', ['b', 'leaf']],
    ['b', ['c']],
    ['c', ['a', 'x']],
    ['x', ['y']],
    ['y', ['x', 'leaf']],
    ['leaf', []],
  ])
  expect(cyclesIn(imports)).toEqual([
    ['a', 'b', 'c'],
    ['x', 'y'],
  ])
})

describe('between packages', () => {
  const folders = ['bindings', 'conformance', 'demo-apps']
  /** An application that is installed outside of the workspaces. */
  const isFixture = (file: string) => file.startsWith(join('conformance', 'fixtures') + sep)
  const files = [
    ...folders.flatMap(filesBelow),
    'core/conformance-driver.ts',
    'core/conformance.test.ts',
  ].filter((file) => isSource(file) && !isFixture(file))
  /** `bindings/react`, `conformance`, `core`. */
  const homeOf = (file: string) => {
    const [folder, name] = file.split(sep)
    return folder === 'bindings' || folder === 'demo-apps' ? join(folder, name!) : folder!
  }
  const manifests = new Map(
    [...new Set(['core', 'tools/devtools', ...files.map(homeOf)])].map((home) => {
      const { name, exports } = JSON.parse(textOf(join(home, 'package.json'))) as {
        name: string
        exports?: Record<string, unknown>
      }
      return [name, Object.keys(exports ?? {})]
    }),
  )
  /** Returns `true` if an import names an entry of one of our packages. */
  const isPublic = (specifier: string) => {
    const name = packageOf(specifier)
    return manifests.get(name)?.includes(`.${specifier.slice(name.length)}`) === true
  }

  /** The reason why a file may not import a specifier; `undefined` if it may. */
  function objectionTo(file: string, specifier: string): string | undefined {
    const home = homeOf(file)
    if (isRelative(specifier)) {
      return targetOf(file, specifier).startsWith(home + sep) ? undefined : 'it is in another package'
    }
    // A switch between two of its own files, by a condition.
    if (specifier.startsWith('#')) return undefined
    const name = packageOf(specifier)
    const posix = file.split(sep).join('/')
    if (metaFrameworks.some(({ files, packages }) => files.test(posix) && packages.includes(name)))
      return undefined
    if (name.startsWith('@selfsame/')) {
      if (!isPublic(specifier)) return 'it is no entry of that package'
      if (home.startsWith('demo-apps')) return undefined
      const allowed = ['@selfsame/core']
      if (home === 'core' || (home.startsWith('bindings') && isBindingTest(file)))
        allowed.push('@selfsame/conformance')
      // A test may import the package that it tests.
      if (home.startsWith('bindings') && isBindingTest(file)) allowed.push(`@selfsame/${home.split(sep)[1]}`)
      return allowed.includes(name) ? undefined : 'it is neither core nor its own'
    }
    if (home.startsWith('bindings') && !isBindingTest(file)) {
      return frameworks[home.split(sep)[1]!]!.includes(name) ? undefined : 'it is not its framework'
    }
    return undefined
  }

  test('bindings import core and their framework, conformance imports core, demo-apps import entries', () => {
    const violations = files.flatMap((file) =>
      importsOf(file).flatMap((specifier) => {
        const objection = objectionTo(file, specifier)
        return objection === undefined ? [] : [`${file} imports ${specifier}: ${objection}`]
      }),
    )
    expect(violations).toEqual([])
  })

  test('a scenario imports no framework', () => {
    const names = new Set(Object.values(frameworks).flat())
    const importers = files.filter(
      (file) =>
        homeOf(file) === 'conformance' &&
        importsOf(file).some((specifier) => names.has(packageOf(specifier))),
    )
    expect(importers).toEqual([])
  })
})

test('nothing in the project refers to a file outside of it', () => {
  const rootFiles = readdirSync(project, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'package-lock.json')
    .map(({ name }) => name)
  const folders = ['core', 'bindings', 'conformance', 'demo-apps', 'docs', 'tools']
  const texts = [...rootFiles, ...folders.flatMap(filesBelow)].filter((file) =>
    /\.(ts|tsx|svelte|vue|md|json|css|html)$/.test(file),
  )
  const outside = new RegExp(`(?:\\.\\./)+${'shared'}|/${'work'}/[\\w./-]*`, 'g')
  const mentions = texts.flatMap((file) =>
    [...textOf(file).matchAll(outside)]
      .map(([mention]) => mention)
      // A folder of that name inside of the project is allowed.
      .filter((mention) => relative(project, resolve(project, dirname(file), mention)).startsWith('..'))
      .map((mention) => `${file} mentions ${mention}`),
  )
  expect(mentions).toEqual([])
})
