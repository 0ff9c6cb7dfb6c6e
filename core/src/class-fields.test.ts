import { createRequire } from 'node:module'
import { transformSync } from 'esbuild'
import ts from 'typescript'
import { describe, expect, test, vi } from 'vitest'
import * as graphql from './graphql.js'
import * as core from './index.js'
import * as rest from './rest.js'

// Class fields are defined, or assigned, as the compiler of an application decides: both give the same classes.

const source = `
  import { Controller, Endpoint, Entity, EntityMixin, schema } from '@selfsame/core'
  import { GQLEndpoint, GQLEntity } from '@selfsame/core/graphql'
  import { RestEndpoint, createResource } from '@selfsame/core/rest'

  export class User extends Entity {
    id = 0
    name = ''
    static override key = 'user'
  }
  export class Admin extends User {
    static override key = 'admin'
    static override dataExpiryLength = 5
  }
  export class Article extends Entity {
    uuid = ''
    author: User | undefined
    override pk() { return this.uuid }
    static override key = 'article'
    static override schema = { author: User, at: Date }
    static override defaults = { title: 'none' }
    static override indexes = ['slug'] as const
    static override validate = (fields: object) => ('bad' in fields ? 'bad' : undefined)
    static override process = (input: Record<string, unknown>) => ({ ...input, processed: true })
    static override queryKey = (args: readonly unknown[]) => (args[0] as { uuid?: string }).uuid
    static override merge = (existing: object, incoming: object) => ({ ...existing, ...incoming })
  }
  class Plain { id = 0 }
  export class Mixed extends EntityMixin(Plain, { key: 'first' }) {
    static key = 'mixed'
    static schema = { user: User }
  }
  export class Named extends GQLEntity {
    static override key = 'named'
  }
  export class ByFields extends RestEndpoint<{ path: '/user/:id'; schema: typeof User; method: 'POST' }> {
    override path = '/user/:id' as const
    override urlPrefix = 'https://example.com'
    override method = 'POST' as const
    override name = 'byFields'
    override sideEffect = true as const
    override schema = User
    override dataExpiryLength = 7
    override validate = () => undefined
    override process = (value: unknown) => value
    override key = () => 'a key'
  }
  export class ReadByPost extends RestEndpoint {
    override method = 'POST'
    override sideEffect = false as never
  }
  export class Query extends GQLEndpoint {
    override name = 'query of its own'
    override url = 'https://example.com/graphql'
  }
  export class Call extends Endpoint {
    override name = 'call of its own'
    override sideEffect = true as never
  }
  export class List extends schema.Collection {}
  export const made = {
    fields: new ByFields({ path: '/other' } as never),
    read: new ReadByPost({ path: '/search' }),
    query: new Query('https://other.example', {} as never),
    call: new Call(async () => 1),
    resource: createResource({ path: '/user/:id', schema: User, Endpoint: ByFields as never }),
  }
  export { Controller }
`

const modules: Readonly<Record<string, unknown>> = {
  '@selfsame/core': core,
  '@selfsame/core/rest': rest,
  '@selfsame/core/graphql': graphql,
}

// What the module exports is what its source says.
// eslint-disable-next-line typescript/no-explicit-any
function run(code: string): any {
  const module = { exports: {} }
  // What a compiler made of the source above is what is tested.
  // eslint-disable-next-line no-new-func
  const load = new Function('module', 'exports', 'require', code)
  load(module, module.exports, (name: string) => modules[name])
  return module.exports
}

const byTypeScript = (options: ts.CompilerOptions) => () =>
  ts.transpileModule(source, { compilerOptions: { module: ts.ModuleKind.CommonJS, ...options } }).outputText
const byEsbuild = (target: string, useDefineForClassFields?: boolean) => () =>
  transformSync(source, {
    loader: 'ts',
    format: 'cjs',
    target,
    tsconfigRaw: {
      compilerOptions: { ...(useDefineForClassFields === undefined ? {} : { useDefineForClassFields }) },
    },
  }).code

/** The Babel of jscodeshift. React Native's preset has these plugins, with assigned fields. */
const byBabel =
  (...classProperties: readonly unknown[]) =>
  () => {
    const { resolve } = createRequire(createRequire(import.meta.url).resolve('jscodeshift'))
    const { transformSync: transform } = createRequire(import.meta.url)(resolve('@babel/core')) as {
      readonly transformSync: (code: string, options: object) => { readonly code: string }
    }
    return transform(source, {
      filename: 'application.ts',
      configFile: false,
      babelrc: false,
      presets: [[resolve('@babel/preset-typescript'), { allowDeclareFields: true }]],
      plugins: [
        [resolve('@babel/plugin-transform-class-properties'), ...classProperties],
        resolve('@babel/plugin-transform-modules-commonjs'),
      ],
    }).code
  }

describe.each([
  ['Babel', byBabel()],
  ['Babel with assigned fields', byBabel({ loose: true })],
  ['TypeScript for ES2015', byTypeScript({ target: ts.ScriptTarget.ES2015 })],
  ['TypeScript for ES2021', byTypeScript({ target: ts.ScriptTarget.ES2021 })],
  ['TypeScript for ES2022', byTypeScript({ target: ts.ScriptTarget.ES2022 })],
  [
    'TypeScript for ES2022 with assigned fields',
    byTypeScript({ target: ts.ScriptTarget.ES2022, useDefineForClassFields: false }),
  ],
  ['esbuild for ES2020', byEsbuild('es2020')],
  ['esbuild for ES2022 with assigned fields', byEsbuild('es2022', false)],
  ['esbuild for ES2022', byEsbuild('es2022', true)],
])('compiled by %s', (_, compile) => {
  test('classes with static members load, and keep them', () => {
    const { User, Admin, Article, Mixed, Named } = run(compile())
    expect([User.key, Admin.key, Article.key, Mixed.key, Named.key]).toEqual([
      'user',
      'admin',
      'article',
      'mixed',
      'named',
    ])
    expect([core.Entity.key, Admin.dataExpiryLength, User.dataExpiryLength]).toEqual(['Entity', 5, undefined])
    expect([Object.keys(Article.schema), Object.keys(Mixed.schema)]).toEqual([['author', 'at'], ['user']])
  })

  test('the store uses them', () => {
    const { Article, Controller } = run(compile())
    const controller = new Controller()
    controller.set(Article, { uuid: 'a' }, { author: { id: 1, name: 'Ann' }, at: '2020-01-01' })
    const article = controller.get(Article, { uuid: 'a' })
    expect([article.author.name, article.at, article.title, article.processed]).toEqual([
      'Ann',
      new Date('2020-01-01'),
      'none',
      true,
    ])
    expect(() => controller.set(Article, { uuid: 'b' }, { bad: 1 })).toThrow('bad')
  })

  test('endpoints with fields are made, and keep them', async () => {
    const { made, User } = run(compile())
    const { fields, read, query, call, resource } = made
    expect([fields.name, fields.method, fields.sideEffect, fields.dataExpiryLength]).toEqual([
      'byFields',
      'POST',
      true,
      7,
    ])
    expect([fields.schema, fields.key(), fields.url({ id: 1 })]).toEqual([
      User,
      'a key',
      'https://example.com/user/1',
    ])
    expect([read.method, read.sideEffect, query.name, query.url, call.name, call.sideEffect]).toEqual([
      'POST',
      false,
      'query of its own',
      'https://example.com/graphql',
      'call of its own',
      true,
    ])
    expect([resource.get.name, resource.get.method]).toEqual(['user.get', 'GET'])
    const fetched = vi.fn(async () => Response.json({ id: 1 }))
    vi.stubGlobal('fetch', fetched)
    await fields({ id: 1 }, {})
    vi.unstubAllGlobals()
    expect(fetched).toHaveBeenCalledWith(
      'https://example.com/user/1',
      expect.objectContaining({ method: 'POST' }),
    )
  })
})
