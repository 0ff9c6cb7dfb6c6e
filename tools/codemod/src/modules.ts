import { posix } from 'node:path'
import type {
  ASTNode,
  ASTPath,
  ClassDeclaration,
  ExportNamedDeclaration,
  FunctionDeclaration,
  ImportDeclaration,
  VariableDeclarator,
} from 'jscodeshift'
import type { Parsed } from './blocks.js'
import { nameOfNode } from './nodes.js'
import type { Script } from './script.js'

/** A name of a module: what its `import`, or its own declaration, stands for. */
export interface Declaration {
  readonly script: Script
  /** Its name in that script; `undefined` for a default export without one. */
  readonly name: string | undefined
  readonly path: ASTPath<ClassDeclaration | FunctionDeclaration | VariableDeclarator | ASTNode>
}

interface Found extends Declaration {
  /** The re-exports by name between the import and the module of the declaration. */
  readonly through: readonly { readonly script: Script; readonly path: ASTPath<ExportNamedDeclaration> }[]
}

/** An imported name, and what it stands for. */
export interface Imported {
  readonly path: ASTPath<ImportDeclaration>
  readonly local: string
  readonly found: Found
}

const farthest = 9
const endings = ['', '.ts', '.tsx', '.js', '.jsx', '/index.ts', '/index.tsx', '/index.js', '/index.jsx']

/** The files of a run. Resolves names to their declarations, through imports and re-exports. */
export class Modules {
  readonly #files: ReadonlyMap<string, Parsed>
  readonly #imported = new Map<Script, readonly Imported[]>()
  readonly #declared = new Map<Script, ReadonlyMap<string, Declaration>>()

  constructor(parsed: readonly Parsed[]) {
    this.#files = new Map(parsed.map((file) => [file.file.path, file]))
  }

  /** Finds what a name of the module scope stands for; `undefined` if it comes from a package. */
  declarationOf(script: Script, name: string): Declaration | undefined {
    return (
      this.declaredIn(script).get(name) ?? this.importedBy(script).find(({ local }) => local === name)?.found
    )
  }

  /** Finds the names that a script imports from files of the run. */
  importedBy(script: Script): readonly Imported[] {
    const known = this.#imported.get(script)
    if (known !== undefined) return known
    const { j, root } = script
    const imported = root
      .find(j.ImportDeclaration)
      .paths()
      .flatMap((path) =>
        (path.node.specifiers ?? []).flatMap((specifier) => {
          if (specifier.type === 'ImportNamespaceSpecifier') return []
          const name = specifier.type === 'ImportSpecifier' ? String(specifier.imported.name) : 'default'
          const local = String(specifier.local?.name ?? name)
          const found = this.#resolve(script.path, String(path.node.source.value), name)
          return found === undefined ? [] : [{ path, local, found }]
        }),
      )
    this.#imported.set(script, imported)
    return imported
  }

  /** Re-exports a name beside another one of the same module, wherever that one is re-exported by name. */
  passOn({ through }: Imported['found'], name: string): void {
    for (const { script, path } of through) {
      const { j } = script
      const names = path.node.specifiers ?? []
      if (names.some((one) => exportedName(one) === name)) continue
      path.node.specifiers = [
        ...names,
        j.exportSpecifier.from({ local: j.identifier(name), exported: j.identifier(name) }),
      ]
    }
  }

  /** The classes, functions and variables of a script, by name. Those of the module scope come first. */
  declaredIn(script: Script): ReadonlyMap<string, Declaration> {
    const known = this.#declared.get(script)
    if (known !== undefined) return known
    const { j, root } = script
    const declared = new Map<string, Declaration>()
    const paths = [
      ...root.find(j.ClassDeclaration).paths(),
      ...root.find(j.FunctionDeclaration).paths(),
      ...root.find(j.VariableDeclarator).paths(),
    ].sort((a, b) => depthOf(a) - depthOf(b))
    for (const path of paths) {
      const { id } = path.node
      const name = id === null || id === undefined ? undefined : nameOfNode(id as ASTNode)
      if (name !== undefined && !declared.has(name)) declared.set(name, { script, name, path })
    }
    this.#declared.set(script, declared)
    return declared
  }

  /** Finds the declaration that a module exports under a name, directly or by a re-export. */
  #resolve(from: string, source: string, name: string, depth = 0): Found | undefined {
    const file = this.#fileOf(from, source)
    if (file === undefined || depth > farthest) return undefined
    for (const script of file.scripts) {
      const { j, root } = script
      const own = this.#exportedFrom(script, name, depth)
      if (own !== undefined) return own
      for (const path of root.find(j.ExportNamedDeclaration).paths()) {
        const target = path.node.source?.value
        if (typeof target !== 'string') continue
        const specifier = path.node.specifiers?.find((one) => exportedName(one) === name)
        if (specifier === undefined) continue
        const passed = localName(specifier) ?? name
        const found = this.#resolve(file.file.path, target, passed, depth + 1)
        if (found !== undefined) return { ...found, through: [...found.through, { script, path }] }
      }
      for (const { node } of root.find(j.ExportAllDeclaration).paths()) {
        const found = this.#resolve(file.file.path, String(node.source.value), name, depth + 1)
        if (found !== undefined) return found
      }
    }
    return undefined
  }

  /** Finds what a script exports under a name without a source: its own declaration, or an import that it passes on. */
  #exportedFrom(script: Script, name: string, depth: number): Found | undefined {
    const { j, root } = script
    const local = this.#localOf(script, name)
    if (local === undefined) {
      if (name !== 'default') return undefined
      const [path] = root.find(j.ExportDefaultDeclaration).paths()
      if (path === undefined) return undefined
      const declared = path.get('declaration') as ASTPath<ASTNode>
      return { script, name: undefined, path: declared, through: [] }
    }
    const own = this.declaredIn(script).get(local)
    if (own !== undefined) return { ...own, through: [] }
    for (const { node } of root.find(j.ImportDeclaration).paths())
      for (const specifier of node.specifiers ?? []) {
        if (specifier.type === 'ImportNamespaceSpecifier' || localName(specifier) !== local) continue
        const imported = specifier.type === 'ImportSpecifier' ? String(specifier.imported.name) : 'default'
        return this.#resolve(script.path, String(node.source.value), imported, depth + 1)
      }
    return undefined
  }

  /** Returns the name inside the module of what it exports under a name. */
  #localOf(script: Script, exported: string): string | undefined {
    const { j, root } = script
    if (exported === 'default')
      for (const { node } of root.find(j.ExportDefaultDeclaration).paths()) {
        const { declaration } = node
        if (declaration.type === 'Identifier') return nameOfNode(declaration)
        const { id } = declaration as { id?: ASTNode | null }
        if (id !== null && id !== undefined) return nameOfNode(id)
      }
    for (const { node } of root.find(j.ExportNamedDeclaration).paths()) {
      if (node.source !== null && node.source !== undefined) continue
      const { declaration } = node
      const names =
        declaration?.type === 'VariableDeclaration'
          ? declaration.declarations.map((one) => (one as VariableDeclarator).id)
          : [(declaration as { id?: ASTNode | null } | null | undefined)?.id]
      if (names.some((id) => id !== null && id !== undefined && nameOfNode(id as ASTNode) === exported))
        return exported
      const specifier = node.specifiers?.find((one) => exportedName(one) === exported)
      if (specifier !== undefined) return localName(specifier)
    }
    return undefined
  }

  /** Finds the file of an import: by a relative path, or by an alias whose end is that of the path of one file. */
  #fileOf(from: string, source: string): Parsed | undefined {
    const bare = source.replace(/\.(js|jsx)$/, '')
    if (source.startsWith('.')) {
      const base = posix.join(posix.dirname(from), bare)
      return endings.map((ending) => this.#files.get(base + ending)).find((file) => file !== undefined)
    }
    // `@/api/Todo`, `~api`, `@resources/Todo`, `resources/Todo`; `@app/api/Todo` for `src/api/Todo`
    const tail = bare.replace(/^[@~]\/?/, '')
    const tails = [tail, ...(tail === bare ? [] : [tail.replace(/^[^/]*\//, '')])]
    for (const one of tails) {
      if (!/^(@\/|~)/.test(bare) && !one.includes('/')) continue
      const found = [...this.#files.values()].filter(({ file: { path } }) =>
        endings.some((ending) => ending !== '' && `/${path}`.endsWith(`/${one}${ending}`)),
      )
      if (found.length === 1) return found[0]
    }
    return undefined
  }
}

function depthOf(path: ASTPath): number {
  let depth = 0
  for (let at: ASTPath | null = path; at !== null && at !== undefined; at = at.parent as ASTPath | null)
    depth++
  return depth
}

/** Returns the name of an import or export inside the importing or exporting module. */
export function localName(specifier: ASTNode): string | undefined {
  const { local, imported } = specifier as { local?: ASTNode | null; imported?: ASTNode }
  const node = local ?? imported
  return node && nameOfNode(node)
}

function exportedName(specifier: ASTNode): string | undefined {
  const { exported } = specifier as { exported?: ASTNode }
  return exported && nameOfNode(exported)
}
