import type { Rule, Scope } from 'eslint'
import { memberOf, nameOf, unwrap } from './ast.js'
import type { Node } from './ast.js'
import { controllerMethod, definitionOf, hookCall, variableOf } from './names.js'

/**
 * What an expression gives of the cache:
 * - `data`: a record, a list or a part of one, which must not be changed
 * - `holder`: a ref, a handle or an object of results, whose members are data
 * - `copy`: a list or object of its own, whose members are data
 */
export type Kind = 'data' | 'holder' | 'copy'

/** Hooks whose result has data as its members: `{ data, error }`, a ref, a handle. */
const inMembers = /^use(DLE|Last|Infinite|Live|SuspenseAll)$/
const dataHooks = /^use(Suspense|SuspenseAll|Cache|Query|DLE|Last|Infinite|Live|Select)$/
/** Members of holders that are data. */
const dataMembers = /^(current|value|data)$/

const copies = /^(filter|slice|concat|toSorted|toReversed|toSpliced|with|map|flat|flatMap)$/
const findsMember = /^(find|findLast|at)$/
/** Methods that hand members to their function. */
const visitsMembers = /^(map|filter|forEach|find|findLast|findIndex|some|every|flatMap|sort|toSorted)$/

/** What an expression gives of the cache; `undefined` if nothing, or if that cannot be told. */
export function kindOf(context: Rule.RuleContext, expression: Node): Kind | undefined {
  const node = unwrap(expression)
  switch (node.type) {
    case 'Identifier':
      return kindOfName(context, node)
    case 'AwaitExpression':
      return kindOf(context, node.argument)
    case 'MemberExpression':
      return kindOfMember(context, node)
    case 'CallExpression':
      return kindOfCall(context, node)
    case 'ArrayExpression':
      return node.elements.some(
        (element) => element?.type === 'SpreadElement' && isList(context, element.argument),
      )
        ? 'copy'
        : undefined
    default:
      return undefined
  }
}

const isList = (context: Rule.RuleContext, node: Node) => /^(data|copy)$/.test(kindOf(context, node) ?? '')

function kindOfMember(
  context: Rule.RuleContext,
  node: Extract<Node, { type: 'MemberExpression' }>,
): Kind | undefined {
  const kind = kindOf(context, node.object)
  if (kind === 'data') return 'data'
  const member = memberOf(node)
  // An index, or `.value` of a ref in `{ data }`.
  if (kind === 'copy') return member === undefined ? 'data' : undefined
  return kind === 'holder' && member !== undefined && dataMembers.test(member) ? 'data' : undefined
}

function kindOfCall(
  context: Rule.RuleContext,
  node: Extract<Node, { type: 'CallExpression' }>,
): Kind | undefined {
  const hook = hookCall(context, node)
  if (hook !== undefined) {
    if (!dataHooks.test(hook.name)) return undefined
    const isHolder =
      hook.framework !== 'react' || (inMembers.test(hook.name) && !/All$|Live$/.test(hook.name))
    return isHolder ? 'holder' : 'data'
  }
  const method = controllerMethod(context, node)
  if (method === 'get') return 'data'
  if (method === 'read') return 'holder'
  const callee = unwrap(node.callee)
  if (callee.type !== 'MemberExpression') return undefined
  const name = memberOf(callee) ?? ''
  if (!isList(context, callee.object)) return undefined
  if (copies.test(name)) return /^(map|flatMap)$/.test(name) ? undefined : 'copy'
  return findsMember.test(name) ? 'data' : undefined
}

function kindOfName(context: Rule.RuleContext, name: Node): Kind | undefined {
  const definition = definitionOf(context, name)
  const variable = variableOf(context, name)
  if (definition === undefined || isSetAgain(variable)) return undefined
  if (definition.type === 'Parameter') return kindOfParameter(context, definition)
  if (definition.type !== 'Variable') return undefined
  const { id, init } = definition.node
  const source = init ? kindOf(context, init) : kindOfLoop(context, definition)
  if (source === undefined || id.type === 'Identifier') return source
  return kindInPattern(context, id, definition.name as Node, source, init ?? undefined)
}

/** A variable that is set to something else later is left alone. */
const isSetAgain = (variable: Scope.Variable | undefined) =>
  (variable?.references ?? []).some((reference) => reference.isWrite() && !reference.init)

/** `const { title } = todo`, `const [first] = todos`, `const { data } = useDLE(…)`. */
function kindInPattern(
  context: Rule.RuleContext,
  pattern: Node,
  name: Node,
  source: Kind,
  init: Node | undefined,
): Kind | undefined {
  const isRest = name.parent?.type === 'RestElement'
  if (isRest) return source === 'data' || source === 'copy' ? 'copy' : undefined
  if (pattern.type === 'ArrayPattern') return source === 'holder' ? undefined : 'data'
  if (pattern.type !== 'ObjectPattern') return undefined
  if (source !== 'holder') return source
  const member = memberOfPattern(name)
  if (member === undefined || !dataMembers.test(member)) return undefined
  // In Vue `data` is a ref, in React it is data.
  const call = init ? hookCall(context, init) : undefined
  return call?.framework === 'vue' && member === 'data' ? 'holder' : 'data'
}

function memberOfPattern(name: Node): string | undefined {
  const { parent } = name
  const property = parent?.type === 'AssignmentPattern' ? parent.parent : parent
  return property?.type === 'Property' && !property.computed ? nameOf(property.key) : undefined
}

/** `for (const todo of todos)` */
function kindOfLoop(context: Rule.RuleContext, { parent }: Scope.Definition): Kind | undefined {
  const loop = (parent as Node | null)?.parent
  return loop?.type === 'ForOfStatement' && isList(context, loop.right) ? 'data' : undefined
}

/** `todos.map((todo) => …)` */
function kindOfParameter(context: Rule.RuleContext, { node, name }: Scope.Definition): Kind | undefined {
  const fn = node as Node & { params?: Node[] }
  const call = fn.parent
  if (call?.type !== 'CallExpression' || call.arguments[0] !== node) return undefined
  const callee = unwrap(call.callee)
  if (callee.type !== 'MemberExpression' || !visitsMembers.test(memberOf(callee) ?? '')) return undefined
  if (!isList(context, callee.object)) return undefined
  const first = fn.params?.[0]
  return first === name || first?.type === 'ObjectPattern' ? 'data' : undefined
}
