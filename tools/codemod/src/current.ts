import type { ASTNode, ASTPath, CallExpression } from 'jscodeshift'
import type { Imports } from './imports.js'
import { nameOf, nameOfNode } from './resource-class.js'
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
  AsyncBoundary: ['errorComponent', 'errorClassName', 'listen'],
  DataProvider: ['managers', 'initialState', 'Controller', 'devButton'],
  CacheProvider: ['managers', 'initialState', 'Controller', 'devButton'],
}

/** Members of `snapshot` that `getOptimisticResponse` may keep using. */
const knownSnapshot = new Set(['get'])

/** Rewrites code of the newest generation. @returns local names that may be unused after the rewrite */
export function rewriteCurrent(script: Script, imports: Imports): Set<string> {
  const dropped = new Set<string>()
  rewriteSchemas(script, imports, dropped)
  rewriteOptimistic(script, imports)
  rewriteResources(script, imports)
  noteMeanings(script, imports)
  rewriteHooks(script, imports)
  rewriteController(script, imports)
  noteProps(script, imports)
  return dropped
}

/** Rewrites `new schema.Query(…)` to `new Query(…)`, and `schema.Entity(X)` to `EntityMixin(X)`. */
function rewriteSchemas(script: Script, imports: Imports, dropped: Set<string>): void {
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
    dropped.add(String(nameOfNode(object)))
  })
}

/** Rewrites `optimistic: true` of a resource, and `getOptimisticResponse` of an endpoint. */
function rewriteOptimistic(script: Script, imports: Imports): void {
  const { j, root } = script
  const target = { source: '@selfsame/core/optimistic', name: 'optimistic' }
  root.find(j.CallExpression).forEach(({ node }) => {
    const callee = imports.importedAs(nameOfNode(node.callee))
    if (callee !== 'resource' && callee !== 'createResource') return
    const [options] = node.arguments
    if (options?.type !== 'ObjectExpression') return
    for (const property of options.properties) {
      if (property.type !== 'ObjectProperty' || nameOf(property) !== 'optimistic') continue
      const { value } = property
      if (value.type === 'Identifier' && value.name === 'optimistic') continue
      if (value.type !== 'BooleanLiteral' || !value.value) {
        script.remark(property, 'optimistic is a value to import now: pass it, or leave the option out')
        continue
      }
      const local = imports.need(target)
      property.value = j.identifier(local)
      property.shorthand = local === 'optimistic'
    }
  })
  const isMember = (path: ASTPath) =>
    path.parent?.node.type === 'ObjectExpression' && isOptions(path.parent, imports)
  root
    .find(j.ObjectMethod, { key: { name: 'getOptimisticResponse' } })
    .filter(isMember)
    .forEach((path) => {
      const { params, body, async: isAsync } = path.node
      if (!expects(script, path, params)) return
      const local = imports.need(target)
      const made = j.functionExpression(null, params as never, body)
      made.async = isAsync === true
      const usesThis = j(path).find(j.ThisExpression).length > 0
      const value = usesThis ? made : j.arrowFunctionExpression(params as never, toExpression(body))
      path.replace(j.objectProperty(path.node.key as never, j.callExpression(j.identifier(local), [value])))
    })
  root
    .find(j.ObjectProperty, { key: { name: 'getOptimisticResponse' } })
    .filter(isMember)
    .forEach((path) => {
      const { value } = path.node
      if (value.type !== 'ArrowFunctionExpression' && value.type !== 'FunctionExpression') return
      if (!expects(script, path, value.params)) return
      path.node.value = j.callExpression(j.identifier(imports.need(target)), [value])
    })
  root.find(j.ClassMethod, { key: { name: 'getOptimisticResponse' } }).forEach((path) => {
    if (imports.old.size > 0)
      script.remark(
        path.node,
        'getOptimisticResponse is an option now, made by optimistic(…): it cannot be a method of a class',
      )
  })
}

const resourceMembers = new Set(['get', 'getList', 'create', 'update', 'partialUpdate', 'delete'])

/**
 * Rewrites `resource.extend('get', { … })` and `resource.extend({ get: { … } })` to the form with a function, and a
 * regular expression of names to a function.
 */
function rewriteResources(script: Script, imports: Imports): void {
  const { j, root } = script
  if (imports.old.size === 0) return
  root.find(j.CallExpression).forEach(({ node }) => {
    const { callee, arguments: args } = node
    if (callee.type !== 'MemberExpression' || nameOfNode(callee.property) !== 'extend') return
    const [first, second] = args
    if (first?.type === 'StringLiteral' && second !== undefined) {
      if (resourceMembers.has(first.value)) node.arguments = [extension(script, [[first.value, second]])]
      else
        script.remark(
          node,
          `extend('${first.value}', …) is not there: pass extend(({ get }) => ({ ${first.value}: get.extend({ … }) }))`,
        )
    } else if (first?.type === 'ObjectExpression') {
      const properties = first.properties.flatMap((property) =>
        property.type === 'ObjectProperty' && property.value.type === 'ObjectExpression'
          ? [[nameOf(property) ?? '', property.value] as const]
          : [],
      )
      const members = properties.filter(([name]) => resourceMembers.has(name))
      if (members.length === 0) return
      if (members.length === first.properties.length) node.arguments = [extension(script, members)]
      else
        script.remark(
          node,
          'extend takes endpoints, and no options of members: pass extend((base) => ({ get: base.get.extend({ … }) }))',
        )
    }
  })
  root.find(j.ObjectProperty, { key: { name: 'nonFilterArgumentKeys' } }).forEach(({ node }) => {
    if (node.value.type !== 'RegExpLiteral') return
    const name = j.identifier('name')
    const tested = j.callExpression(j.memberExpression(node.value, j.identifier('test')), [name])
    node.value = j.arrowFunctionExpression([j.identifier('name')], tested)
  })
}

/** `(base) => ({ get: base.get.extend({ … }) })` */
function extension(script: Script, members: readonly (readonly [string, ASTNode])[]) {
  const { j } = script
  const properties = members.map(([name, options]) => {
    const member = j.memberExpression(j.identifier('base'), j.identifier(name))
    const made = j.callExpression(j.memberExpression(member, j.identifier('extend')), [options as never])
    return j.objectProperty(j.identifier(name), made)
  })
  return j.arrowFunctionExpression([j.identifier('base')], j.objectExpression(properties))
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

/** Returns the expression of a body that is one `return`; otherwise the body. */
function toExpression(body: { body: readonly ASTNode[] } & ASTNode): never {
  const [only, ...more] = body.body
  const isPlain = more.length === 0 && only?.type === 'ReturnStatement' && only.argument !== null
  return (isPlain ? (only as { argument: ASTNode }).argument : body) as never
}

/** True for the options of an endpoint: `new RestEndpoint({ … })`, `member.extend({ … })`. */
function isOptions(path: ASTPath, imports: Imports): boolean {
  const call = path.parent?.node as ASTNode | undefined
  if (call?.type === 'NewExpression')
    return nameOfNode(call.callee)?.endsWith('Endpoint') === true && imports.old.size > 0
  if (call?.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return false
  return nameOfNode(call.callee.property) === 'extend' && imports.old.size > 0
}

/** True if the function uses only known members of its snapshot; otherwise adds a remark. */
function expects(script: Script, path: ASTPath, params: readonly ASTNode[]): boolean {
  const { j } = script
  const [snapshot] = params
  const name = snapshot === undefined ? undefined : nameOfNode(snapshot)
  const unknown =
    snapshot === undefined
      ? []
      : name === undefined
        ? ['a pattern']
        : j(path)
            .find(j.Identifier, { name })
            .paths()
            .filter(({ node }) => node !== snapshot)
            .map(({ parent, node }) =>
              parent?.node.type === 'MemberExpression' && parent.node.object === node
                ? (nameOfNode(parent.node.property) ?? '')
                : 'as a whole',
            )
            .filter((used) => !knownSnapshot.has(used))
  if (unknown.length === 0) return true
  script.remark(
    path.node,
    `getOptimisticResponse uses its snapshot otherwise (${unknown.join(', ')}): write optimistic(…) by hand; snapshot.get, read, temporaryId and now are there`,
  )
  return false
}

function rewriteHooks(script: Script, imports: Imports): void {
  const { j, root } = script
  root.find(j.CallExpression).forEach((path) => {
    const { node } = path
    const hook = imports.importedAs(nameOfNode(node.callee))
    if (hook === 'useLoading' && node.arguments.length > 1) node.arguments = node.arguments.slice(0, 1)
    const names = hook === 'useLoading' || hook === 'useDebounce' ? results[hook] : undefined
    const isNamed = names !== undefined && nameMembers(script, path, names)
    if (hook === 'useDebounce' && !isNamed) script.remark(node, 'useDebounce gives { value, pending }')
    if (hook === 'useDebounce' && node.arguments.length > 2)
      script.remark(node, 'useDebounce takes a value and a delay')
  })
}

/** The members of results that were lists. */
const results = { useLoading: ['run', 'loading', 'error'], useDebounce: ['value', 'pending'] } as const

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

function noteProps(script: Script, imports: Imports): void {
  const { j, root } = script
  root.find(j.JSXOpeningElement).forEach(({ node }) => {
    const element = imports.importedAs(nameOfNode(node.name)) ?? ''
    for (const attribute of node.attributes ?? []) {
      const name = attribute.type === 'JSXAttribute' ? nameOfNode(attribute.name) : undefined
      if (name === undefined || goneProps[element]?.includes(name) !== true) continue
      script.remark(
        attribute,
        element === 'AsyncBoundary'
          ? `${name} of AsyncBoundary is not there: errorFallback is a component that is given error and reset`
          : `${name} of ${element} is not there: make a Controller with middleware, and pass it as controller`,
      )
    }
  })
}
