import { posix } from 'node:path'
import type { ASTPath, ClassDeclaration } from 'jscodeshift'
import type { LocalClass } from './calls.js'
import type { Imports } from './imports.js'
import { localName } from './modules.js'
import type { Modules } from './modules.js'
import type { Transform } from './names.js'
import { nameOfNode } from './nodes.js'
import { ResourceClass } from './resource-class.js'
import type { Script } from './script.js'

interface Scanned {
  readonly script: Script
  readonly path: ASTPath<ClassDeclaration>
  readonly name: string | undefined
  readonly base: string | undefined
  readonly extendsResource: boolean
}

/** The classes of a run that extend `Resource`, directly or through other classes, in whatever file. */
export class ResourceClasses {
  readonly #modules: Modules
  readonly #byNode = new Map<unknown, ResourceClass>()
  #used: ReadonlySet<ResourceClass> = new Set()

  constructor(modules: Modules) {
    this.#modules = modules
  }

  get #all(): ResourceClass[] {
    return [...this.#byNode.values()]
  }

  find(scripts: readonly { script: Script; imports: Imports }[], transform: Transform): void {
    let rest = scripts.flatMap(({ script, imports }) => scan(script, imports))
    const basesOf = new Map(rest.map((one) => [one, this.#baseOf(one)] as const))
    const extended = new Set([...basesOf.values()])
    // A class is understood after the one that it extends.
    for (let last = -1; last !== rest.length;) {
      last = rest.length
      rest = rest.filter((one) => {
        const node = basesOf.get(one)
        const base = this.#byNode.get(node)
        if (!one.extendsResource && base === undefined) return true
        const { script, path, name } = one
        if (name === undefined)
          script.remark(path.node, 'a class without a name stays on @selfsame/core/legacy', true)
        else
          this.#byNode.set(
            path.node,
            new ResourceClass(script, path, name, transform, base, extended.has(path.node)),
          )
        return false
      })
    }
  }

  #baseOf({ script, base, extendsResource }: Scanned): unknown {
    return base === undefined || extendsResource
      ? undefined
      : this.#modules.declarationOf(script, base)?.path.node
  }

  /** Returns the classes that a script declares and those that it imports. */
  knownIn(script: Script): LocalClass[] {
    const own = this.#all
      .filter((resource) => resource.script === script)
      .map((resource) => ({ local: resource.name, resource }))
    const imported = this.#modules.importedBy(script).flatMap(({ local, found }) => {
      const resource = this.#byNode.get(found.path.node)
      return resource === undefined ? [] : [{ local, resource }]
    })
    return [...own, ...imported]
  }

  /**
   * Declares resources beside the classes.
   *
   * @param used - those that rewritten calls use
   */
  convert(used: ReadonlySet<ResourceClass>): void {
    this.#used = used
    const left = this.#all.filter(({ isKept }) => isKept)
    // A class and the one that it extends are both plain records, or both stay.
    for (const resource of this.#all) if (resource.isKept) resource.root.isKept = true
    for (const resource of this.#all) if (resource.root.isKept) resource.isKept = true
    for (const resource of this.#all) {
      const { endpoint, isUnderstood, isBase } = resource
      if (!isUnderstood || isBase || !this.#isNeeded(resource)) continue
      for (let one = endpoint; one !== undefined; one = one.baseEndpoint) one.isEndpointUsed = true
    }
    for (const resource of this.#all) {
      resource.convert(this.#isNeeded(resource))
      if (left.some((one) => one.isBelow(resource))) resource.noteInit()
    }
  }

  #isNeeded(resource: ResourceClass): boolean {
    return this.#used.has(resource) || !(resource.isKept || resource.isExtended)
  }

  /** Imports what a script needs beside the classes that it imports. */
  finish(script: Script, imports: Imports, used: ReadonlySet<ResourceClass>): void {
    const own = this.#all.filter((resource) => resource.script === script)
    for (const resource of own) {
      if (resource.isUnderstood && !resource.isBase && this.#isNeeded(resource)) {
        imports.need({ source: '@selfsame/core/rest', name: 'createResource' })
        if (resource.isOptimistic) imports.need({ source: '@selfsame/core/optimistic', name: 'optimistic' })
        const { endpoint } = resource
        if (endpoint !== undefined && endpoint.script !== script)
          this.#importBeside(script, imports, endpoint, endpoint.endpointName)
      }
      if (resource.declaresEndpoint) {
        const { baseEndpoint } = resource
        if (baseEndpoint === undefined) imports.need({ source: '@selfsame/core/rest', name: 'RestEndpoint' })
        else if (baseEndpoint.script !== script)
          this.#importBeside(script, imports, baseEndpoint, baseEndpoint.endpointName)
        if (script.isTypeScript) {
          imports.need({ source: '@selfsame/core/rest', name: 'RestOptions' }, undefined, true)
          if (resource.changesInit)
            imports.need({ source: '@selfsame/core', name: 'TransportInit' }, undefined, true)
        }
      }
      if (resource.isRecord && resource.base === undefined)
        imports.need({ source: '@selfsame/core', name: 'Entity' })
    }
    for (const resource of used)
      if (resource.script !== script) this.#importBeside(script, imports, resource, resource.resourceName)
  }

  /** Imports a name beside a class, and drops the class if nothing uses it any more. */
  #importBeside(script: Script, imports: Imports, resource: ResourceClass, name: string): void {
    const { j } = script
    const imported = this.#modules.importedBy(script)
    const isOf = ({ found }: (typeof imported)[number]) => this.#byNode.get(found.path.node) === resource
    if (!imported.some(isOf)) imports.need({ source: pathTo(script, resource.script), name })
    for (const { path, local, found } of imported.filter(isOf)) {
      const { node } = path
      const specifiers = node.specifiers ?? []
      const isThere = specifiers.some((one) => localName(one) === name)
      const isNeeded = script.isUsed(local)
      const kept = specifiers.filter((one) => isNeeded || localName(one) !== local)
      node.specifiers = isThere ? kept : [...kept, j.importSpecifier(j.identifier(name))]
      if (node.importKind === 'type') node.importKind = 'value'
      this.#modules.passOn(found, name)
    }
  }
}

/** Returns how a script imports another one. */
function pathTo(from: Script, to: Script): string {
  const path = posix
    .relative(posix.dirname(from.path), to.path.replace(/\.[jt]sx?$/, ''))
    .replace(/\/index$/, '')
  return path.startsWith('.') ? path : `./${path}`
}

function scan(script: Script, imports: Imports): Scanned[] {
  const { j, root } = script
  return root
    .find(j.ClassDeclaration)
    .paths()
    .map((path) => {
      const { id, superClass } = path.node
      const name = id === null || id === undefined ? undefined : nameOfNode(id)
      const base = superClass ? nameOfNode(superClass) : undefined
      const old = imports.importedAs(base)
      return { script, path, name, base, extendsResource: old !== undefined && resourceBases.has(old) }
    })
}

const resourceBases = new Set(['Resource', 'SimpleResource', 'BaseResource', 'HookableResource'])
