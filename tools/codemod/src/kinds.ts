import type { ASTNode, ASTPath } from 'jscodeshift'
import type { Imports } from './imports.js'
import type { Modules } from './modules.js'
import { nameOf, nameOfNode } from './nodes.js'
import type { Script } from './script.js'

/** What the codemod knows of a value, and of what a function returns. */
export type Kind =
  | 'resource'
  | 'endpoint'
  | 'endpoint class'
  | 'record class'
  | 'run'
  | 'debounced'
  | 'makes resources'
  | 'makes endpoints'
  | 'makes runs'
  | 'makes debounced'

const kindOfImport: Readonly<Record<string, Kind>> = {
  Endpoint: 'endpoint class',
  Entity: 'record class',
  GQLEntity: 'record class',
  Resource: 'record class',
  GQLEndpoint: 'endpoint class',
  RestEndpoint: 'endpoint class',
  createResource: 'makes resources',
  resource: 'makes resources',
  useDebounce: 'makes debounced',
  useLoading: 'makes runs',
}

const made: Readonly<Record<string, Kind>> = {
  'endpoint class': 'endpoint',
  'makes endpoints': 'endpoint',
  'makes resources': 'resource',
  'makes runs': 'run',
  'makes debounced': 'debounced',
}

const making: Readonly<Record<string, Kind>> = {
  endpoint: 'makes endpoints',
  resource: 'makes resources',
  run: 'makes runs',
  debounced: 'makes debounced',
}

/** Finds out which values are resources, endpoints and results of hooks, also those that functions of the application make. */
export class Kinds {
  readonly #modules: Modules
  readonly #imports: ReadonlyMap<Script, Imports>
  readonly #known = new Map<unknown, Kind | undefined>()

  constructor(modules: Modules, scripts: readonly { script: Script; imports: Imports }[]) {
    this.#modules = modules
    this.#imports = new Map(scripts.map(({ script, imports }) => [script, imports]))
  }

  /** Returns the kind of an expression; `undefined` if it is something else, or not known. */
  of(script: Script, path: ASTPath | undefined): Kind | undefined {
    const node = path?.node as ASTNode | null | undefined
    if (path === undefined || node === null || node === undefined) return undefined
    if (this.#known.has(node)) return this.#known.get(node)
    // A value that is declared by itself has no kind.
    this.#known.set(node, undefined)
    const kind = this.#find(script, path, node)
    this.#known.set(node, kind)
    return kind
  }

  #find(script: Script, path: ASTPath, node: ASTNode): Kind | undefined {
    const below = (name: string) => path.get(name) as ASTPath
    switch (node.type) {
      case 'Identifier':
        return this.#ofName(script, path, String(node.name))
      case 'VariableDeclarator':
        return this.of(script, below('init'))
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
      case 'ParenthesizedExpression':
        return this.of(script, below('expression'))
      case 'ConditionalExpression':
        return this.of(script, below('consequent')) ?? this.of(script, below('alternate'))
      case 'ClassDeclaration':
      case 'ClassExpression': {
        const base = this.of(script, below('superClass'))
        return base === 'endpoint class' || base === 'record class' ? base : undefined
      }
      case 'NewExpression':
        return this.of(script, below('callee')) === 'endpoint class' ? 'endpoint' : undefined
      case 'CallExpression':
        return this.#ofCall(script, path, below('callee'))
      case 'MemberExpression': {
        const owner = this.of(script, below('object'))
        return owner === 'resource' || owner === 'endpoint' ? 'endpoint' : undefined
      }
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return this.#ofFunction(script, path)
      default:
        return undefined
    }
  }

  #ofCall(script: Script, path: ASTPath, callee: ASTPath): Kind | undefined {
    if (callee.node.type === 'MemberExpression') {
      const method = nameOfNode(callee.node.property)
      const owner = this.of(script, callee.get('object') as ASTPath)
      if (method === 'extend' || method === 'paginated') return owner
      return owner === 'endpoint' && (method === 'query' || method === 'mutation') ? 'endpoint' : undefined
    }
    const kind = this.of(script, callee)
    return kind === undefined ? undefined : made[kind]
  }

  #ofFunction(script: Script, path: ASTPath): Kind | undefined {
    const { j } = script
    const body = path.get('body') as ASTPath
    const values =
      body.node.type === 'BlockStatement'
        ? j(body)
            .find(j.ReturnStatement)
            .paths()
            .map((one) => one.get('argument') as ASTPath)
        : [body]
    const kinds = values.map((value) => this.of(script, value))
    const kind = kinds.find((one) => one !== undefined)
    return kind === undefined ? undefined : making[kind]
  }

  #ofName(script: Script, path: ASTPath, name: string): Kind | undefined {
    const param = this.#ofParam(script, path, name)
    if (param !== undefined) return param
    const imported = this.#imports.get(script)?.importedFromAnyGeneration(name)
    if (imported !== undefined) return kindOfImport[imported]
    const declared = this.#modules.declarationOf(script, name)
    return declared === undefined ? undefined : this.of(declared.script, declared.path)
  }

  /** The params of `resource.extend((base) => …)` and `resource.extend(({ get }) => …)`. */
  #ofParam(script: Script, path: ASTPath, name: string): Kind | undefined {
    const owner = path.scope?.lookup(name)?.path as ASTPath | undefined
    const node = owner?.node as (ASTNode & { params?: ASTNode[] }) | undefined
    const [param] = node?.params ?? []
    const call = owner?.parent as ASTPath | undefined
    if (param === undefined || call?.node.type !== 'CallExpression') return undefined
    const { callee } = call.node
    if (callee.type !== 'MemberExpression' || nameOfNode(callee.property) !== 'extend') return undefined
    if (this.of(script, call.get('callee', 'object') as ASTPath) !== 'resource') return undefined
    if (nameOfNode(param) === name) return 'resource'
    const isTaken =
      param.type === 'ObjectPattern' &&
      param.properties.some(
        (one) =>
          one.type === 'ObjectProperty' &&
          nameOf(one) !== undefined &&
          nameOfNode(one.value as ASTNode) === name,
      )
    return isTaken ? 'endpoint' : undefined
  }
}
