import type { Rule } from 'eslint'
import { functionAround, isFunction, memberOf, nodesIn, outerOf, unwrap } from '../ast.js'
import type { FunctionNode, Node } from '../ast.js'
import { eventHandlers } from '../handlers.js'
import type { EventFramework } from '../handlers.js'
import { controllerMethod } from '../names.js'
import { functionOf } from '../places.js'
import { defineRule } from '../rule.js'

/** Members of a resource that only read. */
const reads = /^(get|getList|getPage)$/
const combinators = /^(all|allSettled|race|any)$/

/** Reports mutations of event handlers whose failure nobody sees. */
export const catchMutation = defineRule({
  name: 'catch-mutation',
  description: 'Handle errors in an event handler that sends a mutation.',
  type: 'problem',
  messages: {
    dropped:
      'Nothing handles the failure of this mutation. Send it by the function of useLoading, add .catch(…), or write void in front of it to leave it unhandled.',
  },
  create(context) {
    const reported = new Set<Node>()
    return eventHandlers(context, (handler, framework) => {
      for (const call of droppedBy(context, handler, framework)) {
        if (reported.has(call)) continue
        reported.add(call)
        context.report({ node: call as Rule.Node, messageId: 'dropped' })
      }
    })
  },
})

/** The mutations of a handler whose promise goes nowhere. */
function droppedBy(context: Rule.RuleContext, handler: Node, framework: EventFramework): Node[] {
  const fn = functionOf(context, handler)
  if (fn !== undefined) return unhandled(context, fn, framework === 'vue' ? 'caught' : 'dropped', new Set())
  // Vue makes a function of the text of an attribute, and handles what it returns: the value of a single expression.
  if (handler.type !== 'VOnExpression') return []
  const isReturned = handler.body.length === 1
  return handler.body.flatMap((statement) =>
    inStatement(context, statement, isReturned ? 'caught' : 'dropped'),
  )
}

const inStatement = (context: Rule.RuleContext, statement: Node, asResult: Fate): Node[] =>
  [...nodesIn(statement, context.sourceCode)].flatMap((node) =>
    mutationsOf(context, node, (call) => fateOf(call, asResult, statement), new Set()),
  )

/** What becomes of the failure of a promise: somebody handles it, or nobody does. */
type Fate = 'caught' | 'dropped' | 'unknown'

/** @param ofResult - what becomes of the promise that the function returns */
function unhandled(
  context: Rule.RuleContext,
  fn: FunctionNode,
  ofResult: Fate,
  seen: Set<FunctionNode>,
): Node[] {
  if (seen.has(fn)) return []
  seen.add(fn)
  return [...nodesIn(fn.body, context.sourceCode)].flatMap((node) =>
    mutationsOf(context, node, (call) => fateOf(call, ofResult, fn), seen),
  )
}

/** The mutations that an expression sends, itself or by a function of this file, if their failure is dropped. */
function mutationsOf(
  context: Rule.RuleContext,
  node: Node,
  fate: (call: Node) => Fate,
  seen: Set<FunctionNode>,
): Node[] {
  if (node.type !== 'CallExpression') return []
  if (controllerMethod(context, node) === 'fetch') {
    const endpoint = node.arguments[0] ? unwrap(node.arguments[0]) : undefined
    const isRead = endpoint?.type === 'MemberExpression' && reads.test(memberOf(endpoint) ?? '')
    return !isRead && fate(node) === 'dropped' ? [node] : []
  }
  const called = node.callee.type === 'Identifier' ? functionOf(context, node.callee) : undefined
  return called === undefined ? [] : unhandled(context, called, fate(node), seen)
}

/** What becomes of the promise of an expression, in a function or a statement. */
function fateOf(expression: Node, ofResult: Fate, end: Node): Fate {
  const { outer, child } = outerOf(expression)
  switch (outer?.type) {
    case 'ExpressionStatement':
      // The text of an attribute of Vue is a statement, whose value is returned.
      return outer === end ? ofResult : 'dropped'
    case 'ReturnStatement':
    case 'ArrowFunctionExpression':
      return functionAround(expression) === end ? ofResult : 'unknown'
    case 'AwaitExpression':
      return isInTry(outer, end) ? 'caught' : ofResult
    case 'ConditionalExpression':
      return outer.test === child ? 'unknown' : fateOf(outer, ofResult, end)
    case 'LogicalExpression':
      return fateOf(outer, ofResult, end)
    case 'SequenceExpression':
      return outer.expressions.at(-1) === child ? fateOf(outer, ofResult, end) : 'dropped'
    case 'MemberExpression':
      return fateOfChain(outer, ofResult, end)
    case 'ArrayExpression': {
      // Promise.all([…])
      const call = outer.parent
      const callee = call?.type === 'CallExpression' ? unwrap(call.callee) : undefined
      const isPromise =
        callee?.type === 'MemberExpression' &&
        callee.object.type === 'Identifier' &&
        callee.object.name === 'Promise' &&
        combinators.test(memberOf(callee) ?? '')
      if (!isPromise || !call) return 'unknown'
      return memberOf(callee) === 'allSettled' ? 'caught' : fateOf(call, ofResult, end)
    }
    default:
      return 'unknown'
  }
}

/** `.then(f)` goes on, `.catch(f)` and `.then(f, g)` end. */
function fateOfChain(member: Extract<Node, { type: 'MemberExpression' }>, ofResult: Fate, end: Node): Fate {
  const { outer: call, child } = outerOf(member)
  if (call?.type !== 'CallExpression' || call.callee !== child) return 'unknown'
  const name = memberOf(member)
  if (name === 'catch' || (name === 'then' && call.arguments.length > 1)) return 'caught'
  return name === 'then' || name === 'finally' ? fateOf(call, ofResult, end) : 'unknown'
}

/** Whether a `try` with a `catch` is around a node. */
function isInTry(node: Node, end: Node): boolean {
  let child = node
  for (let outer = node.parent; outer && outer !== end && !isFunction(outer); outer = outer.parent) {
    if (outer.type === 'TryStatement' && outer.block === child && outer.handler) return true
    child = outer
  }
  return false
}
