import type { ASTNode, ASTPath, CallExpression, Identifier } from 'jscodeshift'
import type { Imports } from './imports.js'
import { nameOfNode } from './nodes.js'
import { isAsSchema, memberNames } from './resource-class.js'
import type { ResourceClass } from './resource-class.js'
import type { Script } from './script.js'

/** A resource class and its local name in a script. */
export interface LocalClass {
  readonly local: string
  readonly resource: ResourceClass
}

/** Current names of the hooks that read. Hooks that took a shape take the endpoint that replaces it. */
const reads: Readonly<Record<string, string>> = {
  useCache: 'useCache',
  useResource: 'useSuspense',
  useRetrieve: 'useFetch',
  useSubscription: 'useSubscription',
  useSuspense: 'useSuspense',
  useFetch: 'useFetch',
  useDLE: 'useDLE',
  useStatefulResource: 'useDLE',
  useLive: 'useLive',
}

/** Hooks that a legacy entry has under the same name. */
const legacyReads: ReadonlySet<string> = new Set(['useResource', 'useRetrieve'])

/** Controller methods that replace the functions returned by these hooks. */
const functions: Readonly<Record<string, string>> = {
  useFetcher: 'fetch',
  useInvalidator: 'invalidate',
  useResetter: 'resetAll',
}

type Call = ASTPath<CallExpression>

/** Rewrites the calls of one script that use classes of older generations. */
export class Calls {
  readonly #script: Script
  readonly #imports: Imports
  readonly #classes: ReadonlyMap<string, ResourceClass>
  /** Resources whose name the script uses for another binding. */
  readonly #taken = new Set<ResourceClass>()
  /** Resources that the rewritten script uses. */
  readonly used = new Set<ResourceClass>()

  constructor(script: Script, imports: Imports, classes: readonly LocalClass[]) {
    this.#script = script
    this.#imports = imports
    this.#classes = new Map(classes.map(({ local, resource }) => [local, resource]))
  }

  rewrite(): void {
    this.#noteTakenNames()
    this.#rewriteFunctions()
    this.#rewriteShapes()
    this.#rewriteEndpoints()
    this.#rewriteRest()
  }

  /** Keeps the class in scripts where the name of its resource is already taken. */
  #noteTakenNames(): void {
    const { j, root } = this.#script
    for (const [local, resource] of this.#classes) {
      const { resourceName } = resource
      const isImported = root.find(j.ImportSpecifier, { imported: { name: resourceName } }).length > 0
      if (!resource.isUnderstood || resource.script === this.#script || isImported) continue
      if (!this.#script.hasName(resourceName)) continue
      this.#taken.add(resource)
      resource.isKept = true
      const [use] = this.#script.usesOf(local)
      if (use !== undefined)
        this.#script.remark(
          use.node,
          `the name ${resourceName} is taken: the calls of ${local} stay in this file`,
          true,
        )
    }
  }

  /** Rewrites `const create = useFetcher(X.createShape())` if all uses of `create` are calls or dependencies. */
  #rewriteFunctions(): void {
    for (const call of this.#hookCalls(functions)) {
      const hook = this.#hookOf(call) ?? ''
      const declarator = call.parent
      // `useFetcher(shape, true)` shared the request of equal calls.
      if (hook === 'useFetcher' && call.node.arguments[1]?.type === 'BooleanLiteral')
        call.node.arguments = call.node.arguments.slice(0, 1)
      const [endpoint, ...more] = call.node.arguments
      const member = endpoint === undefined ? undefined : this.#memberOf(endpoint)
      const isUsable =
        hook === 'useResetter' ? endpoint === undefined : member !== undefined && more.length === 0
      const name = declarator?.node.type === 'VariableDeclarator' ? nameOfNode(declarator.node.id) : undefined
      const uses = name === undefined ? undefined : this.#callsOf(name, call, hook)
      if (!isUsable || uses === undefined) {
        this.#leave(
          call.node,
          endpoint,
          isUsable
            ? `what ${hook} gives is passed on, or called with more than params and a body: use controller.${functions[hook]}`
            : `${hook} is called with what stands for no endpoint of a resource`,
        )
        continue
      }
      this.#replaceFunction(hook, member, declarator as ASTPath, uses)
    }
  }

  #replaceFunction(hook: string, member: Member | undefined, declarator: ASTPath, uses: Uses): void {
    const { j } = this.#script
    const controller = this.#controllerAt(declarator)
    const method = functions[hook] ?? ''
    for (const use of uses.calls) {
      const args = [...use.node.arguments]
      const isBody = member?.name === 'create' && args.length === 2
      if (isBody && isEmptyObject(args[0])) args.shift()
      else if (args.length === 2 && nameOfNode(args[1] as ASTNode) === 'undefined') args.pop()
      if (member !== undefined) args.unshift(this.#memberExpression(member))
      use.node.callee = j.memberExpression(j.identifier(controller), j.identifier(method))
      use.node.arguments = args
    }
    for (const use of uses.dependencies) {
      const list = use.parent.node as { elements: (ASTNode | null)[] }
      const isThere = list.elements.some((one) => one !== null && nameOfNode(one) === controller)
      list.elements = list.elements.flatMap((one) =>
        one === use.node ? (isThere ? [] : [j.identifier(controller)]) : [one],
      )
    }
    const declaration = declarator.parent as ASTPath
    const { declarations } = declaration.node as { declarations?: unknown[] }
    if (declarations?.length === 1) declaration.prune()
    else declarator.prune()
  }

  /** Returns the local name of the controller in the function around a hook; adds `useController()` if it has none. */
  #controllerAt(declarator: ASTPath): string {
    const { j } = this.#script
    const scope = declarator.scope
    const known = j(scope.path)
      .find(j.VariableDeclarator, { init: { type: 'CallExpression' } })
      .filter((path) => path.scope === scope && this.#isUseController(path.node.init as ASTNode))
      .paths()
      .map(({ node }) => nameOfNode(node.id))
      .find((name) => name !== undefined)
    if (known !== undefined) return known
    const hook = this.#imports.need({ source: this.#imports.binding, name: 'useController' })
    const isTaken =
      scope.lookup('controller') !== null ||
      j(scope.path).find(j.Identifier, { name: 'controller' }).length > 0
    const name = isTaken ? 'dataController' : 'controller'
    declarator.parent.insertBefore(this.#script.statement(`const ${name} = ${hook}()`))
    return name
  }

  #isUseController(node: ASTNode): boolean {
    return node.type === 'CallExpression' && /^useController$/.test(nameOfNode(node.callee) ?? '')
  }

  /** Finds the uses of a function returned by a hook; `undefined` if one is neither a call nor a dependency. */
  #callsOf(name: string, from: ASTPath, hook: string): Uses | undefined {
    const uses: Uses = { calls: [], dependencies: [] }
    const most = hook === 'useFetcher' ? 2 : hook === 'useInvalidator' ? 1 : 0
    if (this.#script.isInTemplate(name)) return undefined
    for (const path of this.#script.references(name, from)) {
      const owner = path.parent?.node as ASTNode
      if (owner.type === 'CallExpression' && owner.callee === path.node) {
        if (owner.arguments.length > most || owner.arguments.some(({ type }) => type === 'SpreadElement'))
          return undefined
        uses.calls.push(path.parent as Call)
      } else if (owner.type === 'ArrayExpression' && isDependencies(path.parent as ASTPath)) {
        uses.dependencies.push(path)
      } else return undefined
    }
    return uses
  }

  /** Rewrites `useResource(X.detailShape(), params)`, and its form with several pairs of shape and params. */
  #rewriteShapes(): void {
    const { j } = this.#script
    for (const call of this.#hookCalls(reads)) {
      const hook = this.#hookOf(call) ?? ''
      const args = call.node.arguments
      const isMany =
        hook === 'useResource' && args.length > 0 && args.every(({ type }) => type === 'ArrayExpression')
      const endpoints = isMany
        ? args.map((arg) => (arg as { elements: (ASTNode | null)[] }).elements[0] ?? undefined)
        : [args[0] as ASTNode | undefined]
      if (hook !== 'useResource' && hook !== 'useRetrieve' && !endpoints.some((one) => this.#isShape(one)))
        continue
      const members = endpoints.map((endpoint) =>
        endpoint === undefined ? undefined : this.#memberOf(endpoint),
      )
      if (members.some((member) => member === undefined)) {
        this.#leave(
          call.node,
          endpoints[0],
          `${hook} is called with what stands for no endpoint of a resource`,
          legacyReads.has(hook) || hook === 'useCache'
            ? undefined
            : 'toEndpoint of @selfsame/core/legacy makes one of it',
        )
        if (hook === 'useCache') {
          const source = `${this.#imports.binding}/legacy`
          const local = this.#imports.need({ source, name: 'useCache' }, 'useShapeCache')
          call.node.callee = j.identifier(local)
        } else if (args[0] !== undefined && this.#isShape(endpoints[0]) && !legacyReads.has(hook)) {
          // The hook takes endpoints only.
          const local = this.#imports.need({ source: '@selfsame/core/legacy', name: 'toEndpoint' })
          const made = j.callExpression(j.identifier(local), [args[0]])
          args[0] = this.#script.isTypeScript ? this.#asReadEndpoint(made) : made
          if (hook === 'useStatefulResource') this.#rename(call, 'useDLE')
        }
        continue
      }
      if (isMany) {
        const tuples = args as unknown as { elements: unknown[] }[]
        for (const [index, tuple] of tuples.entries())
          tuple.elements[0] = this.#memberExpression(members[index] as Member)
        call.node.arguments = [j.arrayExpression(args as never)]
      } else args[0] = this.#memberExpression(members[0] as Member)
      const name = isMany ? 'useSuspenseAll' : (reads[hook] ?? hook)
      if (name !== hook) this.#rename(call, name)
    }
  }

  /** `toEndpoint` does not know that a shape reads. */
  #asReadEndpoint(made: CallExpression) {
    const { j } = this.#script
    const local = this.#imports.need({ source: '@selfsame/core', name: 'ReadEndpoint' }, undefined, true)
    return j.tsAsExpression(made, j.tsTypeReference(j.identifier(local)))
  }

  #rename(call: Call, name: string): void {
    call.node.callee = this.#script.j.identifier(this.#imports.need({ source: this.#imports.binding, name }))
  }

  /** Rewrites `X.detail()` in other positions; the member of the resource is an endpoint too. */
  #rewriteEndpoints(): void {
    for (const [local] of this.#classes)
      for (const use of this.#script.usesOf(local)) {
        const call = use.parent?.parent as Call | undefined
        const member = call === undefined ? undefined : this.#memberOf(call.node)
        if (call === undefined || member === undefined || member.method.endsWith('Shape')) continue
        if (this.#isLeft(call)) continue
        call.replace(this.#memberExpression(member))
      }
  }

  /** Checks the remaining uses of the classes: uses as a record or type may stay, all others get a remark. */
  #rewriteRest(): void {
    for (const [local, resource] of this.#classes)
      for (const use of this.#script.usesOf(local)) {
        if (!resource.isUnderstood || this.#taken.has(resource) || this.#isRecordUse(use, resource)) continue
        const owner = use.parent.node as ASTNode
        const name = owner.type === 'MemberExpression' ? nameOfNode(owner.property) : undefined
        const isNoted =
          name !== undefined &&
          resource.memberFor(name) === undefined &&
          memberNames[name.replace(/Shape$/, '')] !== undefined
        resource.isKept = true
        if (!isNoted && !this.#isLeft(use.parent.parent as ASTPath))
          this.#script.remark(
            use.node,
            name === undefined
              ? `${local} is passed on: what gets it may use it as a Resource`
              : resource.memberFor(name) === undefined
                ? `${local}.${name} stays: ${resource.resourceName} has nothing of that name`
                : `${local}.${name}() stays: only hooks of shapes are understood to take it`,
            true,
          )
      }
  }

  /** Replaces `X.asSchema()` by `X` if the class became a plain record. */
  rewriteSchemas(): void {
    const { j, root } = this.#script
    root
      .find(j.CallExpression)
      .filter(({ node }) => isAsSchema(node))
      .forEach((path) => {
        const { object } = path.node.callee as { object: ASTNode }
        const resource = this.#classes.get(nameOfNode(object) ?? '')
        if (resource !== undefined && resource.isUnderstood && !resource.isKept) path.replace(object as never)
      })
  }

  #isRecordUse(use: ASTPath<Identifier>, resource: ResourceClass): boolean {
    const { node } = use
    const owner = use.parent.node as ASTNode
    switch (owner.type) {
      case 'TSTypeReference':
      case 'TSTypeQuery':
      case 'TSExpressionWithTypeArguments':
      case 'ArrayExpression':
      case 'ExportSpecifier':
      case 'ExportDefaultDeclaration':
        return true
      case 'ObjectProperty':
      case 'ClassProperty':
        return owner.value === node
      case 'ClassDeclaration':
        return owner.superClass === node
      case 'MemberExpression': {
        const name = nameOfNode(owner.property) ?? ''
        return (
          isAsSchema(use.parent.parent?.node as ASTNode) ||
          ['fromJS', 'key', 'schema', 'name'].includes(name) ||
          resource.hasStatic(name)
        )
      }
      case 'NewExpression':
        return true
      case 'CallExpression':
        // `controller.set(Todo, …)`, `useQuery(Todo, …)`
        return /^(set|get|useQuery)$/.test(calleeName(owner))
      default:
        return false
    }
  }

  /** True for an endpoint whose hook call was left unchanged: the endpoint is left too. */
  #isLeft(path: ASTPath | undefined): boolean {
    const hook = path?.parent?.node.type === 'CallExpression' ? this.#hookOf(path.parent as Call) : undefined
    return hook !== undefined && reads[hook] === undefined
  }

  /** Adds a remark that the call is left unchanged, and keeps the class of its shape. */
  #leave(
    node: ASTNode,
    endpoint: ASTNode | undefined,
    reason: string,
    outcome = `it stays on ${this.#imports.binding}/legacy`,
  ): void {
    const resource = endpoint === undefined ? undefined : this.#classOf(endpoint)
    if (resource !== undefined) resource.isKept = true
    this.#script.remark(node, `${reason}; ${outcome}`, true)
  }

  /** True for `X.detailShape()`, also if it is not known what `X` is. */
  #isShape(node: ASTNode | undefined): boolean {
    return node !== undefined && methodOf(node)?.endsWith('Shape') === true
  }

  #classOf(node: ASTNode): ResourceClass | undefined {
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return undefined
    return this.#classes.get(nameOfNode(node.callee.object) ?? '')
  }

  /** Finds the member of the resource that replaces `X.detail()`. */
  #memberOf(node: ASTNode): Member | undefined {
    const resource = this.#classOf(node)
    const method = methodOf(node)
    if (resource !== undefined && this.#taken.has(resource)) return undefined
    const name = method === undefined ? undefined : resource?.memberFor(method)
    return resource === undefined || method === undefined || name === undefined
      ? undefined
      : { resource, method, name }
  }

  #memberExpression({ resource, name }: Member) {
    const { j } = this.#script
    this.used.add(resource)
    return j.memberExpression(j.identifier(resource.resourceName), j.identifier(name))
  }

  #hookCalls(hooks: Readonly<Record<string, string>>): Call[] {
    const { j, root } = this.#script
    return root
      .find(j.CallExpression)
      .filter((path) => {
        const hook = this.#hookOf(path)
        return hook !== undefined && hooks[hook] !== undefined
      })
      .paths()
  }

  #hookOf({ node }: Call): string | undefined {
    return this.#imports.importedAs(nameOfNode(node.callee))
  }
}

interface Member {
  readonly resource: ResourceClass
  /** Former name: `detail` or `detailShape`. */
  readonly method: string
  /** Current name, such as `get`. */
  readonly name: string
}

interface Uses {
  readonly calls: Call[]
  readonly dependencies: ASTPath<Identifier>[]
}

/** Returns `detail` for `X.detail()`; `undefined` for a call with arguments. */
function methodOf(node: ASTNode): string | undefined {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression' || node.arguments.length > 0)
    return undefined
  return nameOfNode(node.callee.property)
}

function calleeName({ callee }: CallExpression): string {
  return nameOfNode(callee.type === 'MemberExpression' ? callee.property : callee) ?? ''
}

function isEmptyObject(node: ASTNode | undefined): boolean {
  return node?.type === 'ObjectExpression' && node.properties.length === 0
}

/** True if the array is the last argument of a hook: the dependencies of an effect or a callback. */
function isDependencies(array: ASTPath): boolean {
  const call = array.parent?.node as ASTNode | undefined
  return (
    call?.type === 'CallExpression' &&
    /^use[A-Z]/.test(calleeName(call)) &&
    call.arguments.at(-1) === array.node
  )
}
