import { posix } from 'node:path'
import jscodeshift from 'jscodeshift'
import type { ASTNode, ASTPath, ExportNamedDeclaration } from 'jscodeshift'
import { parseFile } from './blocks.js'
import type { Parsed } from './blocks.js'
import { Calls } from './calls.js'
import type { LocalClass } from './calls.js'
import { rewriteCurrent } from './current.js'
import { Imports } from './imports.js'
import type { Transform } from './names.js'
import { nameOfNode, ResourceClass } from './resource-class.js'
import type { Remark, Script, SourceFile } from './script.js'

/** A file that was changed. */
export interface Change {
  readonly path: string
  readonly before: string
  readonly after: string
}

/** The result of a run: the changed files, and remarks on the code that was left unchanged. */
export interface Outcome {
  readonly changes: readonly Change[]
  readonly remarks: readonly Remark[]
}

/**
 * Moves the files of an application from an older generation, or from Reactive Data Client.
 *
 * @param files - all files that use each other: a class is moved with its uses in other files. Paths have slashes
 */
export function runCodemod(transform: Transform, files: readonly SourceFile[]): Outcome {
  const remarks: Remark[] = []
  const parsed = files.flatMap((file) => {
    try {
      return [parseFile(jscodeshift, file, remarks)]
    } catch (error) {
      remarks.push({ path: file.path, line: 1, reason: `cannot be parsed: ${(error as Error).message}` })
      return []
    }
  })
  const modules = new Modules(parsed)
  const scripts = parsed.flatMap((file) =>
    file.scripts.map((script) => ({ script, imports: new Imports(script) })),
  )
  if (transform !== 'current')
    for (const { script, imports } of scripts) modules.findClasses(script, imports, transform)

  const moved = scripts.map(({ script, imports }) => {
    const calls = new Calls(script, imports, modules.classesIn(script))
    calls.rewrite()
    return { script, imports, calls }
  })
  const records = new Set(modules.classes.filter((resource) => resource.convert().isRecord))
  for (const { script, imports, calls } of moved) {
    calls.rewriteSchemas()
    const dropped = new Set([...calls.dropped, ...rewriteCurrent(script, imports)])
    for (const resource of modules.classes)
      if (resource.script === script && resource.isUnderstood) {
        imports.need({ source: '@selfsame/core/rest', name: 'createResource' })
        if (!records.has(resource)) continue
        imports.need({ source: '@selfsame/core', name: 'Entity' })
        dropped.add('Resource')
      }
    modules.importResources(script, calls.used)
    imports.finish(dropped)
  }
  const changes = parsed.flatMap(({ file, print }) => {
    const after = print()
    return after === file.text ? [] : [{ path: file.path, before: file.text, after }]
  })
  return { changes, remarks: remarks.sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line) }
}

interface Export {
  readonly resource: ResourceClass
  /** The re-exports by name between the import and the module of the class. */
  readonly through: readonly ASTPath<ExportNamedDeclaration>[]
}

/** The files of a run. Resolves imported names to classes. */
class Modules {
  readonly classes: ResourceClass[] = []
  readonly #files: ReadonlyMap<string, Parsed>

  constructor(parsed: readonly Parsed[]) {
    this.#files = new Map(parsed.map((file) => [file.file.path, file]))
  }

  findClasses(script: Script, imports: Imports, transform: Transform): void {
    const { j, root } = script
    const found = new Set<string>()
    root.find(j.ClassDeclaration).forEach((path) => {
      const name = path.node.id === null || path.node.id === undefined ? undefined : nameOfNode(path.node.id)
      const base = path.node.superClass ? nameOfNode(path.node.superClass) : undefined
      if (imports.importedAs(base) === 'Resource') {
        if (name === undefined)
          return script.remark(path.node, 'a class without a name stays on @selfsame/core/legacy')
        found.add(name)
        this.classes.push(new ResourceClass(script, path, name, transform))
      } else if (base !== undefined && found.has(base)) {
        script.remark(
          path.node.id ?? path.node,
          `${name ?? 'a class'} extends ${base}: both stay on @selfsame/core/legacy`,
        )
        for (const resource of this.classes)
          if (resource.script === script && resource.name === base) resource.isUnderstood = false
      }
    })
  }

  /** Returns the classes that a script declares and those that it imports. */
  classesIn(script: Script): LocalClass[] {
    const own = this.classes
      .filter((resource) => resource.script === script)
      .map((resource) => ({ local: resource.name, resource }))
    return [...own, ...this.#imported(script).map(({ local, found: { resource } }) => ({ local, resource }))]
  }

  /** Imports each used resource beside its class, and re-exports it where the class is re-exported. */
  importResources(script: Script, used: ReadonlySet<ResourceClass>): void {
    const { j } = script
    for (const { path, local, found } of this.#imported(script)) {
      const { resource, through } = found
      if (!used.has(resource)) continue
      const { node } = path
      const { resourceName } = resource
      const specifiers = node.specifiers ?? []
      const isThere = specifiers.some((one) => localName(one) === resourceName)
      const isNeeded = script.isUsed(local)
      const kept = specifiers.filter((one) => isNeeded || localName(one) !== local)
      node.specifiers = isThere ? kept : [...kept, j.importSpecifier(j.identifier(resourceName))]
      if (node.importKind === 'type') node.importKind = 'value'
      for (const { node: passed } of through) {
        const names = passed.specifiers ?? []
        if (!names.some((one) => exportedName(one) === resourceName))
          passed.specifiers = [
            ...names,
            j.exportSpecifier.from({
              local: j.identifier(resourceName),
              exported: j.identifier(resourceName),
            }),
          ]
      }
    }
  }

  #imported(script: Script) {
    const { j, root } = script
    return root
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
  }

  /** Finds the class that a module exports under a name, directly or by a re-export. */
  #resolve(from: string, source: string, name: string, depth = 0): Export | undefined {
    const file = this.#fileOf(from, source)
    if (file === undefined || depth > 9) return undefined
    for (const script of file.scripts) {
      const { j, root } = script
      const own = this.classes.find((resource) => resource.script === script && isExportedAs(resource, name))
      if (own !== undefined) return { resource: own, through: [] }
      for (const path of root.find(j.ExportNamedDeclaration).paths()) {
        const target = path.node.source?.value
        if (typeof target !== 'string') continue
        const specifier = path.node.specifiers?.find((one) => exportedName(one) === name)
        if (specifier === undefined) continue
        const passed = localName(specifier) ?? name
        const found = this.#resolve(file.file.path, target, passed, depth + 1)
        if (found !== undefined) return { resource: found.resource, through: [...found.through, path] }
      }
      for (const { node } of root.find(j.ExportAllDeclaration).paths()) {
        const found = this.#resolve(file.file.path, String(node.source.value), name, depth + 1)
        if (found !== undefined) return found
      }
    }
    return undefined
  }

  /** Finds the file of an import: by a relative path, or by an alias that ends like the path of one file. */
  #fileOf(from: string, source: string): Parsed | undefined {
    const bare = source.replace(/\.(js|jsx)$/, '')
    const endings = ['', '.ts', '.tsx', '.js', '.jsx', '/index.ts', '/index.tsx', '/index.js', '/index.jsx']
    if (source.startsWith('.')) {
      const base = posix.join(posix.dirname(from), bare)
      return endings.map((ending) => this.#files.get(base + ending)).find((file) => file !== undefined)
    }
    // `@/api/Todo`, `resources/Todo`
    const tail = bare.replace(/^[@~]\//, '')
    if (tail.startsWith('@') || (tail === bare && !tail.includes('/'))) return undefined
    const found = [...this.#files.values()].filter(({ file: { path } }) =>
      endings.some((ending) => ending !== '' && path.endsWith(`/${tail}${ending}`)),
    )
    return found.length === 1 ? found[0] : undefined
  }
}

function isExportedAs({ script, path, name }: ResourceClass, exported: string): boolean {
  const { j, root } = script
  const kind = path.parent?.node.type as string | undefined
  if (kind === 'ExportDefaultDeclaration') return exported === 'default'
  if (kind === 'ExportNamedDeclaration') return exported === name
  if (exported === 'default' && root.find(j.ExportDefaultDeclaration, { declaration: { name } }).length > 0)
    return true
  return (
    root.find(j.ExportSpecifier, { local: { name } }).filter(({ node }) => exportedName(node) === exported)
      .length > 0
  )
}

/** Returns the name of an import or export inside the importing or exporting module. */
function localName(specifier: ASTNode): string | undefined {
  const { local, imported } = specifier as { local?: ASTNode | null; imported?: ASTNode }
  const node = local ?? imported
  return node && nameOfNode(node)
}

function exportedName(specifier: ASTNode): string | undefined {
  const { exported } = specifier as { exported?: ASTNode }
  return exported && nameOfNode(exported)
}
