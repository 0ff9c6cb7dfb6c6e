import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

// Tests the manifests and READMEs of the packages. conformance/fixtures/starters.test.ts tests the tarballs.

const root = join(import.meta.dirname, '../..')
const repository = 'https://github.com/selfsame-data/selfsame'
const packages = ['core', 'bindings/react', 'bindings/vue', 'bindings/svelte']
/** They are run, not imported. */
const programs = ['tools/codemod', 'tools/openapi', 'tools/create-selfsame']
/** They are imported, by a tool or by whoever wants them. */
const plugins = ['tools/eslint-plugin', 'tools/devtools']

const read = (file: string) => readFileSync(join(root, file), 'utf8')

interface Manifest {
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly license?: string
  readonly homepage?: string
  readonly keywords?: readonly string[]
  readonly bugs?: { readonly url: string }
  readonly repository?: { readonly url: string; readonly directory: string }
  readonly engines?: { readonly node: string }
  readonly sideEffects?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly bundleDependencies?: readonly string[]
  readonly peerDependencies?: Readonly<Record<string, string>>
}
const manifestOf = (folder: string) => JSON.parse(read(`${folder}/package.json`)) as Manifest

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** The anchors of the headings of a page. */
const anchorsOf = (page: string) =>
  [...page.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    anchorOf(heading),
  )

describe.each([...packages, ...programs, ...plugins])('%s', (folder) => {
  const manifest = manifestOf(folder)
  const readme = read(`${folder}/README.md`)
  const { version } = manifestOf('core')

  test('says in its manifest what a registry shows', () => {
    expect(manifest).toMatchObject({
      license: 'MIT',
      homepage: `${repository}#readme`,
      bugs: { url: `${repository}/issues` },
      repository: { type: 'git', url: `git+${repository}.git`, directory: folder },
      engines: { node: '>=20.19' },
      publishConfig: { access: 'public' },
    })
    expect(manifest.description).toMatch(/\.$/)
    expect(manifest.keywords?.length).toBeGreaterThan(4)
  })

  test('has the version of the others, its changelog and the licence of the project', () => {
    expect(manifest.version).toBe(version)
    expect(read(`${folder}/CHANGELOG.md`)).toContain(`# ${manifest.name}\n\n## ${version}\n`)
    expect(read(`${folder}/LICENSE`)).toBe(read('LICENSE'))
  })

  test('has links in its README that lead somewhere from wherever it is read', () => {
    const links = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
    const broken = links.filter((link) => {
      if (link.startsWith('#')) return !anchorsOf(readme).includes(link.slice(1))
      if (link === `${repository}#readme`) return false
      if (!link.startsWith(`${repository}/blob/main/`)) return !link.startsWith('https://')
      const [file = '', anchor] = link.slice(`${repository}/blob/main/`.length).split('#')
      if (!existsSync(join(root, file))) return true
      return anchor !== undefined && !anchorsOf(read(file)).includes(anchor)
    })
    expect(links.length).toBeGreaterThan(0)
    expect(broken).toEqual([])
  })
})

/** A program is not imported, beside the mocks of a description. */
const imported: Readonly<Record<string, readonly string[]>> = { 'tools/openapi': ['./mocks', './msw'] }

test.each(programs)('%s is a command, and has no other entry to import', (folder) => {
  const { bin, exports } = JSON.parse(read(`${folder}/package.json`)) as Record<string, object | undefined>
  expect(Object.values(bin ?? {}).filter((file) => !existsSync(join(root, folder, file)))).toEqual([])
  expect(Object.keys(bin ?? {})).toHaveLength(1)
  expect(Object.keys(exports ?? {})).toEqual([...(imported[folder] ?? []), './package.json'])
})

test('all that is published has one version', () => {
  const { fixed } = JSON.parse(read('.changeset/config.json')) as { readonly fixed: readonly string[][] }
  expect(fixed).toEqual([[...packages, ...programs, ...plugins].map((folder) => manifestOf(folder).name)])
})

describe.each(packages)('%s', (folder) => {
  const manifest = manifestOf(folder)
  const readme = read(`${folder}/README.md`)

  test('is described as a data layer, has no side effects, no command, and a line to install it', () => {
    expect(manifest.description).toContain('data layer')
    expect(manifest).toMatchObject({ sideEffects: false })
    expect(manifest).not.toHaveProperty('bin')
    const installed = folder === 'core' ? '@selfsame/core' : `@selfsame/core ${manifest.name}`
    expect(readme).toContain(`\nnpm install ${installed}\n`)
  })

  test('has no dependency at run time, but one that Svelte itself has', () => {
    const { dependencies = {}, optionalDependencies, bundleDependencies } = manifest
    expect([optionalDependencies, bundleDependencies]).toEqual([undefined, undefined])
    expect(Object.keys(dependencies)).toEqual(folder === 'bindings/svelte' ? ['esm-env'] : [])
    const { packages: locked } = JSON.parse(read('package-lock.json')) as {
      readonly packages: Readonly<Record<string, Pick<Manifest, 'dependencies'>>>
    }
    for (const name of Object.keys(dependencies)) {
      expect(locked['node_modules/svelte']?.dependencies).toHaveProperty(name)
      expect(locked[`node_modules/${name}`]).toBeDefined()
      expect(locked[`node_modules/${name}`]?.dependencies).toBe(undefined)
    }
  })

  test('has the core as a peer, which an application has once', () => {
    // A minor version may change the interface for bindings.
    const range = folder === 'core' ? undefined : `^${manifest.version}`
    expect(manifest.peerDependencies?.['@selfsame/core']).toBe(range)
  })
})

test('each package that is installed runs on the oldest Node that is supported', () => {
  const { satisfies } = createRequire(import.meta.url)('semver') as {
    readonly satisfies: (version: string, range: string) => boolean
  }
  const { packages: locked } = JSON.parse(read('package-lock.json')) as {
    readonly packages: Readonly<Record<string, { readonly engines?: { readonly node?: string } }>>
  }
  const newer = Object.entries(locked).filter(
    ([, { engines }]) => !satisfies('20.19.0', engines?.node ?? '*'),
  )
  expect(Object.keys(locked).length).toBeGreaterThan(300)
  expect(newer).toEqual([])
})

test.each(['core', 'bindings/react'])(
  '%s has no syntax that the Babel preset of React Native does not compile',
  (folder) => {
    const files = readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' })
    const refused = files.filter(
      (file) =>
        /(?<!\.test)\.tsx?$/.test(file) &&
        /^export \* as |^\s*static \{/m.test(read(`${folder}/src/${file}`)),
    )
    expect(refused).toEqual([])
  },
)
