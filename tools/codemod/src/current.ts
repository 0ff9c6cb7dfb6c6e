import type { ASTNode, ASTPath, CallExpression, JSXAttribute, VariableDeclaration } from 'jscodeshift'
import type { Imports } from './imports.js'
import type { Kinds } from './kinds.js'
import { nameOf, nameOfNode } from './nodes.js'
import type { Script } from './script.js'

/** Controller methods that were renamed. */
const renamedMethods: Readonly<Record<string, string>> = {
  receive: 'setResponse',
  receiveError: 'setError',
  resetEntireStore: 'resetAll',
}

/** Controller methods without a counterpart, each with a remedy. */
const goneMethods: Readonly<Record<string, string>> = {
  dispatch: 'a middleware sees each action, and none is dispatched by hand',
  getError: 'controller.read gives data, error and status',
  getResponse: 'controller.read gives data, error and status',
  getResponseMeta: 'controller.read gives data, error and status',
  getState: 'controller.read and controller.get read the cache',
  snapshot: 'controller.read and controller.get read the cache',
  subscribe: 'connect of @selfsame/core/live keeps a call fresh; controller.subscribe listens to one',
  unsubscribe: 'connect of @selfsame/core/live gives a function that ends it',
}

const goneProps: Readonly<Record<string, readonly string[]>> = {
  AsyncBoundary: ['errorClassName', 'listen'],
  ErrorBoundary: ['className', 'listen'],
  NetworkErrorBoundary: ['className', 'listen'],
  DataProvider: ['managers', 'initialState', 'Controller', 'devButton'],
  CacheProvider: ['managers', 'initialState', 'Controller', 'devButton'],
}

/** Members of the snapshot of `getOptimisticResponse`, and their names now. */
const snapshotMembers: Readonly<Record<string, string>> = {
  get: 'get',
  getResponse: 'read',
  read: 'read',
  fetchedAt: 'now',
  now: 'now',
  temporaryId: 'temporaryId',
}

/** Rewrites code of the newest generation. */
export function rewriteCurrent(script: Script, imports: Imports, kinds: Kinds): void {
  rewriteSchemas(script, imports)
  rewriteResources(script, imports, kinds)
  rewriteOptimistic(script, imports, kinds)
  noteMeanings(script, imports)
  rewriteHooks(script, imports, kinds)
  rewriteController(script, imports)
  noteProps(script, imports)
}

/** Rewrites `new schema.Query(…)` to `new Query(…)`, and `schema.Entity(X)` to `EntityMixin(X)`. */
function rewriteSchemas(script: Script, imports: Imports): void {
  const { j, root } = script
  root.find(j.MemberExpression).forEach((path) => {
    const { object, property } = path.node
    if (imports.importedAs(nameOfNode(object)) !== 'schema') return
    const owner = path.parent?.node as ASTNode
    const isCallee =
      (owner.type === 'NewExpression' || owner.type === 'CallExpression') && owner.callee === path.node
    const name = nameOfNode(property)
    const now = name === 'Query' ? 'Query' : name === 'Entity' && isCallee ? 'EntityMixin' : undefined
    if (now === undefined) return
    if (now === 'EntityMixin' && owner.type === 'NewExpression')
      path.parent.replace(j.callExpression(j.identifier(now), owner.arguments))
    else path.replace(j.identifier(now))
    imports.need({ source: '@selfsame/core', name: now })
  })
}

/** Rewrites `optimistic: true` of a resource, and `getOptimisticResponse` of an endpoint. */
function rewriteOptimistic(script: Script, imports: Imports, kinds: Kinds): void {
  const { j, root } = script
  root.find(j.ObjectProperty, { key: { name: 'optimistic' } }).forEach((path) => {
    const options = path.parent as ASTPath
    const call = options.parent as ASTPath | undefined
    const { value } = path.node
    if (call?.node.type !== 'CallExpression' || call.node.arguments[0] !== options.node) return
    if (value.type === 'Identifier' && value.name === 'optimistic') return
    const isResource = kinds.of(script, call.get('callee') as ASTPath) === 'makes resources'
    if (isResource && value.type === 'BooleanLiteral' && value.value) {
      const local = imports.need(target)
      path.node.value = j.identifier(local)
      path.node.shorthand = local === 'optimistic'
    } else if (isResource || isOptionOfResource(path))
      script.remark(path.node, 'optimistic is a value to import now: pass it, or leave the option out')
  })
  root
    .find(j.ObjectMethod, { key: { name: 'getOptimisticResponse' } })
    .filter((path) => isOptions(script, path, kinds))
    .forEach((path) => {
      const { params, body, async: isAsync } = path.node
      if (!expects(script, path, params)) return
      const local = imports.need(target)
      const made = j.functionExpression(null, params as never, body)
      made.async = isAsync === true
      const usesThis = j(path).find(j.ThisExpression).length > 0
      const value = usesThis ? made : script.arrow(params, body)
      const property = j.objectProperty(
        path.node.key as never,
        j.callExpression(j.identifier(local), [value]),
      )
      property.comments = path.node.comments ?? null
      path.replace(property)
    })
  root
    .find(j.ObjectProperty, { key: { name: 'getOptimisticResponse' } })
    .filter((path) => isOptions(script, path, kinds))
    .forEach((path) => {
      const { value } = path.node
      const isFunction = value.type === 'ArrowFunctionExpression' || value.type === 'FunctionExpression'
      if (!isFunction && value.type !== 'Identifier') return
      if (isFunction && !expects(script, path, value.params)) return
      path.node.shorthand = false
      path.node.value = j.callExpression(j.identifier(imports.need(target)), [value])
    })
  for (const type of [j.ClassMethod, j.ClassProperty])
    root.find(type as typeof j.ClassMethod, { key: { name: 'getOptimisticResponse' } }).forEach((path) => {
      script.remark(
        path.node,
        'getOptimisticResponse is an option now, made by optimistic(…): it cannot be a method of a class',
      )
    })
}

const target = { source: '@selfsame/core/optimistic', name: 'optimistic' }

/** True if an object names a path and a schema beside the property. */
function isOptionOfResource({ parent }: ASTPath): boolean {
  const names =
    parent?.node.type === 'ObjectExpression' ? new Set(parent.node.properties.map(nameOf)) : new Set()
  return names.has('path') && names.has('schema')
}

const resourceMembers = new Set(['get', 'getList', 'create', 'update', 'partialUpdate', 'delete'])

/**
 * Rewrites `resource.extend('get', { … })` and `resource.extend({ get: { … } })` to the form with a function, and a
 * regular expression of names to a function.
 */
function rewriteResources(script: Script, imports: Imports, kinds: Kinds): void {
  const { j, root } = script
  root.find(j.CallExpression).forEach((path) => {
    const { node } = path
    const { callee, arguments: args } = node
    if (callee.type !== 'MemberExpression' || nameOfNode(callee.property) !== 'extend') return
    const kind = kinds.of(script, path.get('callee', 'object') as ASTPath)
    const [first, second] = args
    if (first?.type === 'StringLiteral' && second?.type === 'ObjectExpression' && args.length === 2) {
      // No other library extends a name by an object.
      if (kind === 'resource' || imports.old.size > 0)
        node.arguments = [extension(script, [[first.value, second]], first)]
      else
        script.remark(
          node,
          `extend('${first.value}', { … }) of a resource is not there, and it is not known whether this is one: pass extend((base) => ({ ${first.value}: base.get.extend({ … }) }))`,
        )
    } else if (first?.type === 'StringLiteral' && second !== undefined && kind === 'resource')
      script.remark(
        node,
        `extend('${first.value}', …) is not there: pass extend((base) => ({ ${first.value}: base.get.extend(…) }))`,
      )
    else if (first?.type === 'ObjectExpression') {
      const isOfMembers = first.properties.some(
        (property) =>
          property.type === 'ObjectProperty' &&
          property.value.type === 'ObjectExpression' &&
          resourceMembers.has(nameOf(property) ?? ''),
      )
      if (kind === 'resource' ? hasOptions(first) : isOfMembers && imports.old.size > 0 && kind === undefined)
        node.arguments = [extension(script, first.properties, first)]
    }
  })
  root.find(j.ObjectProperty, { key: { name: 'nonFilterArgumentKeys' } }).forEach(({ node }) => {
    if (node.value.type !== 'RegExpLiteral') return
    const name = j.identifier('name')
    const tested = j.callExpression(j.memberExpression(node.value, j.identifier('test')), [name])
    node.value = j.arrowFunctionExpression([j.identifier('name')], tested)
  })
}

function hasOptions({ properties }: { readonly properties: readonly ASTNode[] }): boolean {
  return properties.some((one) => one.type === 'ObjectProperty' && one.value.type === 'ObjectExpression')
}

/**
 * `(base) => ({ get: base.get.extend({ … }) })`
 *
 * @param members - properties of an object, or pairs of a name and options. A new name extends `get`
 * @param from - what the result replaces; its comments are kept
 */
function extension(
  script: Script,
  members: readonly (ASTNode | readonly [string, ASTNode])[],
  from: ASTNode,
) {
  const { j } = script
  const properties = members.map((one) => {
    const pair = isPair(one) ? one : undefined
    const property = pair === undefined ? (one as ASTNode) : undefined
    const value = pair?.[1] ?? (property?.type === 'ObjectProperty' ? (property.value as ASTNode) : undefined)
    // Endpoints, methods and spreads stay.
    if (property !== undefined && value?.type !== 'ObjectExpression') return property
    const name = pair?.[0] ?? nameOf(property as ASTNode) ?? ''
    const member = j.memberExpression(
      j.identifier('base'),
      j.identifier(resourceMembers.has(name) || pair === undefined ? name : 'get'),
    )
    if (name === 'getList') withoutBody(value)
    const made = j.callExpression(j.memberExpression(member, j.identifier('extend')), [value as never])
    const extended = j.objectProperty(j.identifier(name), made)
    extended.comments = (property as { comments?: typeof extended.comments } | undefined)?.comments ?? null
    return extended
  })
  const object = j.objectExpression(properties as never)
  object.comments = (from as { comments?: typeof object.comments }).comments ?? null
  return j.arrowFunctionExpression([j.identifier('base')], object)
}

/** The `body` of a list was the type of what is added to it. Now it would be that of its own request. */
function withoutBody(options: ASTNode | undefined): void {
  if (options?.type !== 'ObjectExpression' || options.properties.some((one) => nameOf(one) === 'method'))
    return
  options.properties = options.properties.filter((one) => nameOf(one) !== 'body')
}

function isPair(one: ASTNode | readonly [string, ASTNode]): one is readonly [string, ASTNode] {
  return Array.isArray(one)
}

/** Notes code that compiles after the move and means something else. */
function noteMeanings(script: Script, imports: Imports): void {
  const { j, root } = script
  if (imports.old.size === 0) return
  root.find(j.NewExpression).forEach(({ node }) => {
    const name = nameOfNode(node.callee) ?? ''
    const member = node.callee.type === 'MemberExpression' ? nameOfNode(node.callee.property) : undefined
    const [first] = node.arguments
    if (imports.importedAs(name) === 'NetworkError' && first?.type !== 'StringLiteral')
      script.remark(
        node,
        'NetworkError takes a message and details: new NetworkError(message, { status, response })',
      )
    const isInvalidate = imports.importedAs(name) === 'Invalidate' || member === 'Invalidate'
    if (isInvalidate && (first?.type === 'ObjectExpression' || node.arguments.length > 1))
      script.remark(node, 'Invalidate takes one class: use new schema.Delete(…) of each class of the mapping')
  })
}

/**
 * True for a member of the options of an endpoint: `new RestEndpoint({ … })`, `member.extend({ … })`. Adds a remark for any other
 * object.
 */
function isOptions(script: Script, { node, parent }: ASTPath, kinds: Kinds): boolean {
  if (parent?.node.type !== 'ObjectExpression') return false
  const value = (node as { value?: ASTNode }).value
  // Made by an earlier run, or by hand.
  if (value?.type === 'CallExpression') return false
  const call = parent.parent as ASTPath | undefined
  if (call?.node.type === 'NewExpression') {
    const name = nameOfNode(call.node.callee as ASTNode)
    if (kinds.of(script, call) === 'endpoint' || name?.endsWith('Endpoint') === true) return true
  }
  if (call?.node.type === 'CallExpression' && call.node.callee.type === 'MemberExpression')
    if (nameOfNode(call.node.callee.property) === 'extend') return true
  script.remark(
    node as ASTNode,
    'getOptimisticResponse is made by optimistic(…) of @selfsame/core/optimistic',
  )
  return false
}

/** True for `snapshot` in `throw snapshot.abort`. */
function isAbort({ parent }: ASTPath): boolean {
  return parent?.parent?.node.type === 'ThrowStatement' && nameOfNode(parent.node.property) === 'abort'
}

/** Renames the members of the snapshot that a function uses. @returns false, with a remark, if it uses others */
function expects(script: Script, path: ASTPath, params: readonly ASTNode[]): boolean {
  const { j } = script
  const [snapshot] = params
  const name = snapshot === undefined ? undefined : nameOfNode(snapshot)
  const uses =
    snapshot === undefined || name === undefined
      ? []
      : j(path)
          .find(j.Identifier, { name })
          .paths()
          .filter(({ node }) => node !== snapshot)
  const unknown = [
    ...(snapshot !== undefined && name === undefined ? ['a pattern'] : []),
    ...uses.flatMap((use) => {
      const { parent, node } = use
      if (parent?.node.type !== 'MemberExpression' || parent.node.object !== node) return ['as a whole']
      const member = nameOfNode(parent.node.property) ?? ''
      return snapshotMembers[member] !== undefined || isAbort(use) ? [] : [member]
    }),
  ]
  if (unknown.length === 0) {
    for (const use of uses) {
      const member = use.parent.node as { property: ASTNode }
      if (isAbort(use)) use.parent.parent.replace(j.returnStatement(j.identifier('undefined')))
      else member.property = j.identifier(snapshotMembers[nameOfNode(member.property) ?? ''] ?? '')
    }
    return true
  }
  script.remark(
    path.node,
    `getOptimisticResponse uses its snapshot otherwise (${unknown.join(', ')}): write optimistic(…) by hand; snapshot.get, read, temporaryId and now are there`,
  )
  return false
}

function rewriteHooks(script: Script, imports: Imports, kinds: Kinds): void {
  const { j, root } = script
  root.find(j.CallExpression).forEach((path) => {
    const { node } = path
    const hook = imports.importedAs(nameOfNode(node.callee))
    if (hook === 'useLoading' && node.arguments.length > 1) node.arguments = node.arguments.slice(0, 1)
    if (hook === 'useDebounce' && node.arguments.length > 2)
      script.remark(node, 'useDebounce takes a value and a delay')
    // Also those of the application's own hooks.
    const names = results[kinds.of(script, path.get('callee') as ASTPath) ?? '']
    const isNamed = names !== undefined && nameMembers(script, path, names)
    if (hook !== undefined && names !== undefined && !isNamed && !isReturned(path))
      script.remark(node, `${hook} gives { ${names.join(', ')} }`)
    if (script.isTypeScript && (hook === 'useDLE' || hook === 'useError' || isNamed))
      narrowErrors(script, imports, path.parent as ASTPath)
  })
}

/** The error of a call is any `Error`: `error.status` becomes `(error as Partial<NetworkError>).status`. */
function narrowErrors(script: Script, imports: Imports, declarator: ASTPath): void {
  const { j } = script
  const { id } = declarator.node as { id?: ASTNode }
  const taken =
    id?.type === 'ObjectPattern'
      ? id.properties.flatMap((one) =>
          one.type === 'ObjectProperty' && nameOf(one) === 'error' ? [nameOfNode(one.value as ASTNode)] : [],
        )
      : [id && nameOfNode(id)]
  for (const name of taken)
    for (const use of name === undefined ? [] : script.references(name, declarator)) {
      const owner = use.parent as ASTPath<{ type: string; object?: unknown; property: ASTNode }>
      if (!/^(Optional)?MemberExpression$/.test(owner.node.type) || owner.node.object !== use.node) continue
      if (!['status', 'response'].includes(nameOfNode(owner.node.property) ?? '')) continue
      const isOptional = owner.node.type === 'OptionalMemberExpression'
      const error = imports.need({ source: '@selfsame/core/rest', name: 'NetworkError' }, undefined, true)
      const type = script.type(`Partial<${error}>${isOptional ? ' | undefined' : ''}`)
      use.replace(j.parenthesizedExpression(j.tsAsExpression(use.node, type)))
    }
}

/** The members of results that were lists. */
const results: Readonly<Record<string, readonly string[]>> = {
  'makes runs': ['run', 'loading', 'error'],
  'makes debounced': ['value', 'pending'],
}

/** True for what a function returns: its callers are rewritten. */
function isReturned({ node, parent }: ASTPath): boolean {
  const owner = parent?.node as ASTNode | undefined
  return (
    owner?.type === 'ReturnStatement' || (owner?.type === 'ArrowFunctionExpression' && owner.body === node)
  )
}

/** Takes the members of a destructured list by their names. @returns `false` if there is none */
function nameMembers({ j }: Script, { parent }: ASTPath, names: readonly string[]): boolean {
  const node = parent?.node as ASTNode | undefined
  if (node?.type !== 'VariableDeclarator' || node.id.type !== 'ArrayPattern') return false
  const members = node.id.elements.flatMap((element, place) => {
    const name = names[place]
    if (element?.type !== 'Identifier' || name === undefined) return []
    const member = j.objectProperty(j.identifier(name), element)
    member.shorthand = element.name === name
    return [member]
  })
  node.id = j.objectPattern(members)
  return true
}

/** Rewrites method calls on the result of `useController()` and on variables of the type `Controller`. */
function rewriteController(script: Script, imports: Imports): void {
  const { j, root } = script
  const rewrite = (name: string, from: ASTPath) => {
    for (const use of script.references(name, from)) {
      const owner = use.parent?.node as ASTNode
      if (owner.type !== 'MemberExpression' || owner.object !== use.node) continue
      const method = nameOfNode(owner.property) ?? ''
      const now = renamedMethods[method]
      const advice = goneMethods[method]
      if (method === 'getResponse' && readsData(use.parent.parent as ASTPath, name)) {
        owner.property = j.identifier('read')
        continue
      }
      if (method === 'getState' && isLastOfRead(use.parent.parent as ASTPath)) continue
      if (now !== undefined) owner.property = j.identifier(now)
      else if (advice !== undefined) script.remark(owner, `controller.${method} is not there: ${advice}`)
    }
  }
  root.find(j.VariableDeclarator).forEach((path) => {
    const { id, init } = path.node
    if (
      init?.type !== 'CallExpression' ||
      imports.importedAs(nameOfNode((init as CallExpression).callee)) !== 'useController'
    )
      return
    const name = nameOfNode(id)
    if (name !== undefined) rewrite(name, path)
    else if (id.type === 'ObjectPattern') rewriteTaken(script, id)
  })
  root.find(j.Identifier).forEach((path) => {
    const type = (path.node.typeAnnotation as { typeAnnotation?: ASTNode } | null | undefined)?.typeAnnotation
    if (type?.type !== 'TSTypeReference' || imports.importedAs(nameOfNode(type.typeName)) !== 'Controller')
      return
    rewrite(path.node.name, path)
  })
}

/**
 * Drops the state from `const { data } = controller.getResponse(endpoint, args, controller.getState())`.
 *
 * @returns false if more than the data is used
 */
function readsData(call: ASTPath, controller: string): boolean {
  if (call.node.type !== 'CallExpression') return false
  const owner = call.parent?.node as ASTNode | undefined
  const isData =
    owner?.type === 'VariableDeclarator' && owner.id.type === 'ObjectPattern'
      ? owner.id.properties.every((one) => nameOf(one) === 'data')
      : owner?.type === 'MemberExpression' && nameOfNode(owner.property) === 'data'
  const last = call.node.arguments.at(-1)
  const isState =
    last?.type === 'CallExpression' &&
    last.callee.type === 'MemberExpression' &&
    nameOfNode(last.callee.object) === controller &&
    nameOfNode(last.callee.property) === 'getState'
  if (isData && isState) call.node.arguments = call.node.arguments.slice(0, -1)
  return isData && isState
}

/** True for a call that `readsData` has dropped. */
function isLastOfRead(call: ASTPath): boolean {
  const owner = call.parent?.node as ASTNode | undefined
  return owner?.type === 'CallExpression' && !owner.arguments.includes(call.node as never)
}

/** Rewrites `const { receive } = useController()`: methods can be taken out of the Controller. */
function rewriteTaken(script: Script, { properties }: { readonly properties: readonly ASTNode[] }): void {
  const { j } = script
  for (const property of properties) {
    if (property.type !== 'ObjectProperty') continue
    const method = nameOf(property) ?? ''
    const now = renamedMethods[method]
    const advice = goneMethods[method]
    if (now !== undefined) {
      property.key = j.identifier(now)
      property.shorthand = false
    } else if (advice !== undefined) script.remark(property, `controller.${method} is not there: ${advice}`)
  }
}

/** Props of the provider that went, each with its cure. */
const curesOfProvider: Readonly<Record<string, string>> = {
  managers: 'make a Controller with middleware, and pass it as controller',
  initialState: 'fill a Controller by hydrate of @selfsame/core/hydration, and pass it as controller',
  Controller: 'pass a Controller itself, as controller',
}

/** Managers whose work a Controller does itself, or the panel of the devtools. */
const ownManagers = new Set(['DevToolsManager', 'NetworkManager', 'SubscriptionManager'])

function valueOf({ value }: JSXAttribute): ASTNode | undefined {
  return value?.type === 'JSXExpressionContainer' ? value.expression : undefined
}

/** True for managers that a Controller does without: the default ones, in a list or alone. Removes the variable that holds them. */
function areOwn(script: Script, imports: Imports, value: ASTNode | undefined): boolean {
  const { j, root } = script
  switch (value?.type) {
    case 'ArrayExpression':
      return value.elements.every((one) => one !== null && areOwn(script, imports, one))
    case 'SpreadElement':
      return areOwn(script, imports, value.argument)
    case 'CallExpression':
      return imports.importedAs(nameOfNode(value.callee)) === 'getDefaultManagers'
    case 'NewExpression':
      return ownManagers.has(imports.importedAs(nameOfNode(value.callee)) ?? '')
    case 'MemberExpression': {
      const [, provider] = /^(\w+)\.defaultProps\.managers$/.exec(script.sourceOf(value)) ?? []
      return ['CacheProvider', 'DataProvider'].includes(imports.importedAs(provider) ?? '')
    }
    case 'Identifier': {
      const [declared, ...more] = root.find(j.VariableDeclarator, { id: { name: value.name } }).paths()
      const init = declared?.node.init ?? undefined
      if (declared === undefined || init === undefined || more.length > 0) return false
      const isRead = init.type !== 'Identifier' && script.references(value.name, declared).length === 1
      if (!isRead || !areOwn(script, imports, init)) return false
      const { parent } = declared as { parent: ASTPath<VariableDeclaration> }
      if (parent.parent?.node.type.startsWith('Export') === true) return false
      if (parent.node.declarations.length === 1) parent.prune()
      else declared.prune()
      return true
    }
    default:
      return false
  }
}

function noteProps(script: Script, imports: Imports): void {
  const { j, root } = script
  root.find(j.JSXOpeningElement).forEach(({ node }) => {
    const element = imports.importedAs(nameOfNode(node.name)) ?? ''
    for (const attribute of node.attributes ?? []) {
      if (attribute.type !== 'JSXAttribute') continue
      const name = nameOfNode(attribute.name)
      if (name === undefined || goneProps[element]?.includes(name) !== true) continue
      const isOwn = name === 'managers' && areOwn(script, imports, valueOf(attribute))
      if (isOwn || name === 'listen' || name === 'devButton')
        node.attributes = node.attributes?.filter((one) => one !== attribute) ?? []
      if (isOwn || name === 'devButton') continue
      script.remark(
        attribute,
        element.endsWith('Boundary')
          ? name === 'listen'
            ? 'listen went: an error disappears when other content is shown. If the content depends on the address without props, pass that as resetKeys'
            : `${name} of AsyncBoundary is not there: errorFallback is a component that is given error and reset`
          : `${name} of ${element} is not there: ${curesOfProvider[name]}`,
      )
    }
  })
}
