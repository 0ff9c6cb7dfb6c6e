import type { ASTPath, Identifier, ImportDeclaration, ImportSpecifier } from 'jscodeshift'
import { isLegacy, isOld, isOurs, schemaMembers, schemaTypes, targetOf, whyUnknown } from './names.js'
import type { Target, Transform } from './names.js'
import type { Script, TypeNode } from './script.js'

/** A name imported from an old package or a `/legacy` entry. */
export interface OldName {
  readonly source: string
  readonly imported: string
}

interface Wanted {
  readonly imported: string
  readonly local: string
  readonly isType: boolean
}

/** Names of Selfsame that stand for types alone. */
const typeNames = new Set([
  'DataProviderProps',
  'EndpointExtraOptions',
  'EndpointLike',
  'ListPath',
  'PathParams',
  'ReadEndpoint',
  'ResourceOptions',
  'RestOptions',
  'Schema',
  'SchemaArgs',
])

/** The imports of a script: the old names, and the names that replace them. */
export class Imports {
  readonly script: Script
  /** Old names by their local names. */
  readonly old = new Map<string, OldName>()
  readonly #transform: Transform
  readonly #wanted = new Map<string, Wanted[]>()
  /** Old names that the script used before the run. */
  readonly #used = new Set<string>()

  constructor(script: Script, transform: Transform) {
    this.script = script
    this.#transform = transform
    for (const { node } of this.#declarations()) {
      const source = String(node.source.value)
      if (!isOld(source) && !isLegacy(source)) continue
      for (const specifier of node.specifiers ?? [])
        if (specifier.type === 'ImportSpecifier')
          this.old.set(String(specifier.local?.name ?? specifier.imported.name), {
            source,
            imported: String(specifier.imported.name),
          })
        else script.remark(specifier, `"${source}" is imported as a whole: import its names`)
    }
    for (const local of this.old.keys()) if (script.isUsed(local)) this.#used.add(local)
    this.#noteOtherUses()
  }

  /** Adds a remark where an old package is loaded by a call, or its names are re-exported. */
  #noteOtherUses(): void {
    const { j, root } = this.script
    root.find(j.StringLiteral).forEach(({ node, parent }) => {
      const owner = parent?.node.type as string | undefined
      if (!isOld(node.value) || owner === 'ImportDeclaration') return
      if (owner === 'CallExpression' || owner === 'ImportExpression')
        this.script.remark(node, `"${node.value}" is named in a call: change it by hand`)
      else if (owner?.startsWith('Export') === true)
        this.script.remark(node, `names of "${node.value}" are passed on: change it by hand`)
    })
  }

  /** Returns the name that is imported as `local` from an old package or from one of Selfsame, or `undefined`. */
  importedFromAnyGeneration(local: string): string | undefined {
    const old = this.importedAs(local)
    if (old !== undefined) return old
    for (const { node } of this.#declarations())
      for (const specifier of node.specifiers ?? [])
        if (specifier.type === 'ImportSpecifier' && isOurs(String(node.source.value)))
          if (String(specifier.local?.name ?? specifier.imported.name) === local)
            return String(specifier.imported.name)
    return undefined
  }

  /** Returns the old name imported as `local`, or `undefined`. */
  importedAs(local: unknown): string | undefined {
    return typeof local === 'string' ? this.old.get(local)?.imported : undefined
  }

  /** The package from which hooks are imported now. */
  get binding(): string {
    const sources = [...this.old.values()].map(({ source }) => source)
    const framework = ['vue', 'svelte'].find(
      (name) =>
        this.script.path.endsWith(`.${name}`) ||
        sources.some((source) => source === `@data-client/${name}` || source === `@selfsame/${name}/legacy`),
    )
    return `@selfsame/${framework ?? 'react'}`
  }

  /** Imports a name, once. @returns its local name */
  need({ source, name }: Target, local = name, isType = false): string {
    for (const { node } of this.#declarations()) {
      if (node.source.value !== source || (node.importKind === 'type' && !isType)) continue
      for (const specifier of node.specifiers ?? [])
        if (specifier.type === 'ImportSpecifier' && specifier.imported.name === name)
          return String(specifier.local?.name ?? name)
    }
    const wanted = this.#wanted.get(source) ?? []
    const known = wanted.find(({ imported, isType: only }) => imported === name && only === isType)
    if (known !== undefined) return known.local
    this.#wanted.set(source, [...wanted, { imported: name, local, isType }])
    return local
  }

  /**
   * Moves each imported name to its new package. A name that the run made unused goes, and one without a counterpart stays and gets a
   * remark.
   */
  finish(): void {
    let place: ASTPath<ImportDeclaration> | undefined
    const emptied: ASTPath<ImportDeclaration>[] = []
    for (const path of this.#declarations()) {
      const { node } = path
      const source = String(node.source.value)
      const isFromLegacy = isLegacy(source)
      if (!isOld(source) && !isFromLegacy) continue
      const kept = (node.specifiers ?? []).filter((specifier) => {
        if (specifier.type !== 'ImportSpecifier') return true
        const local = String(specifier.local?.name ?? specifier.imported.name)
        if (this.#used.has(local) && !this.script.isUsed(local)) return false
        return isFromLegacy || !this.#move(source, specifier, local, node.importKind === 'type')
      })
      if (kept.length === node.specifiers?.length && kept.length > 0) continue
      place ??= path
      node.specifiers = kept
      if (kept.length === 0) emptied.push(path)
    }
    this.#write(place ?? this.#declarations()[0])
    for (const path of emptied) path.prune()
  }

  #move(source: string, specifier: ImportSpecifier, local: string, isType: boolean): boolean {
    const { script } = this
    const imported = String(specifier.imported.name)
    if (imported === 'AbstractInstanceType' && !script.isInTemplate(local)) {
      // TypeScript declares it globally, so that no import replaces it.
      rename(script, local, 'InstanceType')
      return true
    }
    const isOfClass = script.usesOf(local).some((use) => !isInType(use))
    // From version 6 on it is the type of what createResource makes.
    if (imported === 'Resource' && this.#transform === 'current' && !isOfClass) {
      this.need({ source: '@selfsame/core/rest', name: imported }, local, true)
      return true
    }
    const target = targetOf(source, imported, this.binding)
    if (target === undefined) {
      script.remark(specifier, whyUnknown(source, imported))
      return false
    }
    const isTypeOnly =
      isType || (specifier as { importKind?: string }).importKind === 'type' || typeNames.has(target.name)
    if (schemaMembers.has(imported) && target.name === 'schema') {
      if (script.isInTemplate(local)) {
        script.remark(specifier, `${imported} is schema.${imported} now, and the markup uses it`)
        return false
      }
      if (isOfClass) this.need(target)
      this.#toSchemaMember(local, imported)
      return true
    }
    const isKept = local !== imported || script.isInTemplate(local)
    const now = isKept ? local : target.name
    if (now !== local) rename(script, local, now)
    this.need(target, now, isTypeOnly)
    return true
  }

  #toSchemaMember(local: string, name: string): void {
    const { j } = this.script
    for (const path of this.script.usesOf(local))
      if (isInType(path)) this.#toSchemaType(path, name)
      else path.replace(j.memberExpression(j.identifier('schema'), j.identifier(name)))
  }

  /** Rewrites the type `Collection<Todo[]>` to `CollectionSchema<readonly [Todo]>`. */
  #toSchemaType(path: ASTPath<Identifier>, name: string): void {
    const { j } = this.script
    const type = this.need({ source: '@selfsame/core', name: schemaTypes[name] ?? name }, undefined, true)
    const reference = path.parent.node as {
      typeName?: unknown
      typeParameters?: { params: TypeNode[] } | null
    }
    if (reference.typeName !== path.node) return void path.replace(j.identifier(type))
    reference.typeName = j.identifier(type)
    const [content] = reference.typeParameters?.params ?? []
    if (name === 'Collection' && content?.type === 'TSArrayType' && reference.typeParameters) {
      const item = this.script.sourceOf(content.elementType).replace(/^\((.*)\)$/s, '$1')
      reference.typeParameters.params = [this.script.type(`readonly [${item}]`)]
    }
  }

  #write(place: ASTPath<ImportDeclaration> | undefined): void {
    const { script } = this
    // Comments above the first import belong to the file, so they stay at the top.
    let comments = place?.node.comments
    for (const [source, wanted] of [...this.#wanted].sort(([a], [b]) => a.localeCompare(b)))
      for (const isType of [false, true]) {
        const names = wanted.filter((one) => one.isType === isType)
        if (names.length === 0) continue
        const list = names.map(({ imported, local }) =>
          imported === local ? local : `${imported} as ${local}`,
        )
        const text = `import ${isType ? 'type ' : ''}{ ${list.join(', ')} } from ${script.quoted(source)}`
        const made = script.statement(text) as ImportDeclaration
        const existing = this.#declarations().find(
          ({ node }) =>
            node.source.value === source && (node.importKind === 'type') === isType && hasOnlyNames(node),
        )
        if (existing !== undefined) {
          existing.node.specifiers = [...(existing.node.specifiers ?? []), ...(made.specifiers ?? [])]
          continue
        }
        if (place !== undefined && comments) {
          made.comments = comments
          place.node.comments = null
          comments = undefined
        }
        if (place !== undefined) place.insertBefore(made)
        else script.root.get().node.program.body.unshift(made)
      }
    this.#wanted.clear()
  }

  #declarations(): ASTPath<ImportDeclaration>[] {
    return this.script.root.find(this.script.j.ImportDeclaration).paths()
  }
}

/** True if an identifier names a type. */
function isInType({ parent }: ASTPath): boolean {
  return /^(TSTypeReference|TSExpressionWithTypeArguments|TSInterfaceHeritage)$/.test(
    (parent?.node.type as string | undefined) ?? '',
  )
}

function hasOnlyNames({ specifiers }: ImportDeclaration): boolean {
  return (specifiers ?? []).every(({ type }) => type === 'ImportSpecifier')
}

/** Renames a binding of the module, also as the tag of an element. */
function rename(script: Script, from: string, to: string): void {
  const { j, root } = script
  for (const path of script.usesOf(from)) {
    const owner = path.parent?.node
    if (owner?.type === 'ObjectProperty' && owner.shorthand === true) owner.shorthand = false
    path.replace(j.identifier(to))
  }
  root.find(j.JSXIdentifier, { name: from }).forEach((path) => {
    path.node.name = to
  })
}
