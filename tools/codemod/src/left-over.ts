import type { ASTNode, ASTPath, CallExpression, ObjectMethod, ObjectProperty } from 'jscodeshift'
import type { Imports } from './imports.js'
import type { Kinds } from './kinds.js'
import { nameOf, nameOfNode } from './nodes.js'
import type { Script } from './script.js'

/** Options of endpoints of other generations, which none calls any more, each with its cure. */
const goneOptions: Readonly<Record<string, string>> = {
  fetchOptionsPlugin: 'write getRequestInit(body)',
  fetchPlugin: 'write fetchResponse(url, init)',
  getFetchInit: 'write getRequestInit(body)',
  getFetchOptions: 'write the options themselves, such as dataExpiryLength',
  optimisticUpdate:
    'write getOptimisticResponse: optimistic((snapshot, params, body) => …), with optimistic of @selfsame/core/optimistic',
  requestInit: 'return it from getRequestInit(body), with what super.getRequestInit(body) gives',
  useFetchInit: 'write getRequestInit(body); requests are sent outside of components',
}

/** Options of lists of other generations, which none reads any more, each with its cure. */
const goneListOptions: Readonly<Record<string, string>> = {
  createCollectionFilter:
    'filter: rule(…), with rule of @selfsame/core/rules, decides which records join a list',
}

/** Statics of records that have to be replaced, each with its cure. */
const goneStatics: Readonly<Record<string, string>> = {
  cacheWith: 'classes of one static key share their records',
  createIfValid: 'static validate refuses what is not complete',
  mergeMetaWithStore: 'static version = … names the field that tells how new a record is',
  mergeWithStore:
    'static merge(existing, incoming) merges, and static version = … decides which of them is newer',
  shouldReorder: 'static version = … names the field that tells how new a record is',
  shouldUpdate: 'static version = … names the field that tells how new a record is',
  useIncoming: 'static version = … names the field that tells how new a record is',
}

/** Rewrites `optimisticUpdate` of the 5.1 generation: `extend({ optimisticUpdate: (params, body) => body })`. */
export function rewriteOptimisticUpdate(script: Script, imports: Imports): void {
  const { j, root } = script
  const replace = (
    path: ASTPath<ObjectMethod> | ASTPath<ObjectProperty>,
    params: ASTNode[],
    value: ASTNode,
  ) => {
    const [first = j.identifier('_params'), second, ...more] = params
    if (more.length > 0 || (second !== undefined && second.type !== 'Identifier')) return
    // Members that have no params are called with the body alone.
    const isCreate = nameOfCall(path.parent?.parent?.node.callee?.object as ASTNode | undefined) === 'create'
    const body =
      second !== undefined && isCreate && first.type === 'Identifier'
        ? j.assignmentPattern(j.identifier(String(second.name)), j.identifier(String(first.name)))
        : second
    const made = value as { params: unknown[] }
    made.params = [j.identifier('_snapshot'), first, ...(body === undefined ? [] : [body])]
    const local = imports.need({ source: '@selfsame/core/optimistic', name: 'optimistic' })
    const option = j.objectProperty(
      j.identifier('getOptimisticResponse'),
      j.callExpression(j.identifier(local), [value as never]),
    )
    option.comments = path.node.comments ?? null
    path.replace(option)
  }
  root
    .find(j.ObjectMethod, { key: { name: 'optimisticUpdate' } })
    .filter(isOption)
    .forEach((path) => {
      const { params, body } = path.node
      replace(path, params, script.arrow(params, body))
    })
  root
    .find(j.ObjectProperty, { key: { name: 'optimisticUpdate' } })
    .filter(isOption)
    .forEach((path) => {
      const { value } = path.node
      if (value.type === 'ArrowFunctionExpression' || value.type === 'FunctionExpression')
        replace(path, value.params, value)
    })
}

/** True for a member of the object in `extend({ … })` and `new RestEndpoint({ … })`. */
function isOption({ parent }: ASTPath): boolean {
  const call = parent?.parent?.node as ASTNode | undefined
  if (parent?.node.type !== 'ObjectExpression') return false
  return call?.type === 'NewExpression' || nameOfCall(call) === 'extend'
}

/** Rewrites or notes members of other generations, which compile and do nothing. */
export function rewriteLeftOver(script: Script, kinds: Kinds): void {
  rewriteOptions(script, kinds)
  rewriteStatics(script)
}

function rewriteOptions(script: Script, kinds: Kinds): void {
  const { j, root } = script
  root.find(j.NewExpression).forEach(({ node: { callee, arguments: args } }) => {
    const name = nameOfNode(callee.type === 'MemberExpression' ? callee.property : callee)
    const [, options] = args
    if (name !== 'Collection' || options?.type !== 'ObjectExpression') return
    for (const property of options.properties) {
      const cure = goneListOptions[nameOf(property) ?? '']
      if (cure !== undefined)
        script.remark(property, `nothing reads the option ${nameOf(property)} of a Collection: ${cure}`)
    }
  })
  root.find(j.ObjectExpression).forEach((path) => {
    if (!isEndpointOptions(script, path, kinds)) return
    for (const property of path.node.properties) {
      const name = nameOf(property)
      const cure = name === undefined ? undefined : goneOptions[name]
      if (name === 'getFetchKey' && 'key' in property) property.key = j.identifier('key')
      else if (cure !== undefined) script.remark(property, `nothing reads the option ${name}: ${cure}`)
    }
  })
}

/** True for `new RestEndpoint({ … })`, `resource({ … })` and `endpoint.extend({ … })`. */
function isEndpointOptions(script: Script, { node, parent }: ASTPath, kinds: Kinds): boolean {
  const call = parent as ASTPath | undefined
  if (call?.node.type !== 'CallExpression' && call?.node.type !== 'NewExpression') return false
  if (!call.node.arguments.includes(node as never)) return false
  const kind = kinds.of(script, call)
  if (kind !== 'endpoint' && kind !== 'resource') return isExtendOfSuper(call.node)
  return nameOfCall(call.node) !== 'extend' || kind === 'endpoint'
}

/** True for `super.detail().extend({ … })` and `this.detail().extend({ … })`. */
function isExtendOfSuper(node: ASTNode): boolean {
  if (nameOfCall(node) !== 'extend') return false
  const { object } = (node as CallExpression).callee as { object: ASTNode }
  if (object.type !== 'CallExpression' || object.callee.type !== 'MemberExpression') return false
  return object.callee.object.type === 'Super' || object.callee.object.type === 'ThisExpression'
}

function rewriteStatics(script: Script): void {
  const { j, root } = script
  root.find(j.ClassDeclaration).forEach(({ node }) => {
    if (node.superClass === null || node.superClass === undefined) return
    node.body.body = node.body.body.map((member) => {
      const name = nameOf(member) ?? ''
      const cure = goneStatics[name]
      if (cure === undefined || (member as { static?: boolean }).static !== true) return member
      const field = name === 'shouldReorder' ? comparedField(script, member) : undefined
      const override = (member as { override?: boolean }).override === true ? 'override ' : ''
      if (field !== undefined)
        return script.classMember(`static ${override}version = ${script.quoted(field)}`)
      script.remark(member, `replace static ${name}: ${cure}`)
      return member
    })
  })
}

/** Returns `time` for a method that returns `existing.time > incoming.time`. */
function comparedField(script: Script, member: ASTNode): string | undefined {
  const { params, body } = member as { params?: ASTNode[]; body?: { body?: ASTNode[] } }
  const [, , existing, incoming] = (params ?? []).map(nameOfNode)
  const [only, ...more] = body?.body ?? []
  if (only?.type !== 'ReturnStatement' || more.length > 0 || existing === undefined || incoming === undefined)
    return undefined
  const text = script.sourceOf(only).replace(/^return\s+|;$/g, '')
  const [, left, field, right, other] = /^(\w+)\.(\w+) > (\w+)\.(\w+)$/.exec(text) ?? []
  return left === existing && right === incoming && field === other ? field : undefined
}

function nameOfCall(node: ASTNode | undefined): string | undefined {
  if (node?.type !== 'CallExpression') return undefined
  const { callee } = node
  return nameOfNode(callee.type === 'MemberExpression' ? callee.property : callee)
}
