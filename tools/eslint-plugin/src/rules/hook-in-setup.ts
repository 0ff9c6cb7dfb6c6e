import type { Rule } from 'eslint'
import {
  ancestorsOf,
  endOf,
  functionAround,
  keyOf,
  nameOfFunction,
  nodesIn,
  outerOf,
  startOf,
} from '../ast.js'
import type { Call, FunctionNode, Node } from '../ast.js'
import { eventHandlers } from '../handlers.js'
import { hookCall } from '../names.js'
import type { HookCall } from '../names.js'
import { calledLaterBy, functionOf } from '../places.js'
import { defineRule, vueScript } from '../rule.js'

/** Options of a component whose functions run when setup is over. */
const lateOptions = /^(methods|watch)$/

/** Reports hooks of Vue and Svelte that run when no component is being set up. React has rules of hooks for this. */
export const hookInSetup = defineRule({
  name: 'hook-in-setup',
  description: 'Call hooks of Vue and Svelte while a component is set up.',
  type: 'problem',
  messages: {
    afterAwait:
      '{{hook}} is called after an await, where Vue does not know the component any more. Call it before the first await of "{{fn}}".',
    later:
      '{{hook}} is called by {{caller}}, after the component was set up. Call it in setup, and use its result here.',
    handler:
      '{{hook}} is called in an event handler, after the component was set up. Call it in setup, and use its result here.',
    option:
      '{{hook}} is called in "{{option}}", after the component was set up. Call it in setup(), and return its result.',
    module:
      '{{hook}} is called by a module, where there is no component. Call it in <script setup>, setup() or a composable.',
  },
  create(context) {
    const reported = new Set<Node>()
    const report = (node: Call, messageId: string, data: Record<string, string>) => {
      if (reported.has(node)) return
      reported.add(node)
      context.report({ node, messageId, data })
    }
    const visitor = eventHandlers(context, (handler) => {
      const body =
        functionOf(context, handler)?.body ?? (handler.type === 'VOnExpression' ? handler : undefined)
      if (body === undefined) return
      for (const node of nodesIn(body, context.sourceCode)) {
        const hook = node.type === 'CallExpression' ? hookCall(context, node) : undefined
        if (hook && node.type === 'CallExpression' && hook.framework !== 'react')
          report(node, 'handler', { hook: hook.name })
      }
    })
    const check = (call: Call) => {
      const hook = hookCall(context, call)
      const problem = hook && hook.framework !== 'react' ? problemOf(context, call, hook) : undefined
      if (hook && problem) report(call, problem.messageId, { ...problem.data, hook: hook.name })
    }
    return { ...visitor, CallExpression: check }
  },
})

interface Problem {
  readonly messageId: string
  readonly data?: Record<string, string>
}

function problemOf(context: Rule.RuleContext, call: Call, { framework }: HookCall): Problem | undefined {
  const fn = functionAround(call)
  if (fn === undefined) {
    const isModule = framework === 'vue' && vueScript(context, call) === 'module'
    return isModule ? { messageId: 'module' } : undefined
  }
  if (framework === 'vue' && fn.async && isAfterAwait(context, call, fn))
    return { messageId: 'afterAwait', data: { fn: nameOfFunction(fn) ?? 'the function' } }
  const caller = calledLaterBy(context, fn)
  if (caller !== undefined) return { messageId: 'later', data: { caller } }
  const option = framework === 'vue' ? lateOptionOf(fn) : undefined
  return option === undefined ? undefined : { messageId: 'option', data: { option } }
}

/** Whether an `await` of the same function always ends before a call. */
function isAfterAwait(context: Rule.RuleContext, call: Call, fn: FunctionNode): boolean {
  const around = new Set(ancestorsOf(call))
  for (const node of nodesIn(fn.body, context.sourceCode)) {
    if (node.type !== 'AwaitExpression' || endOf(node) > startOf(call)) continue
    if (!isInBranch(node, around)) return true
  }
  return false
}

/** Whether a node stands in a branch that may be left out on the way to what `around` are the ancestors of. */
function isInBranch(node: Node, around: ReadonlySet<Node>): boolean {
  let child = node
  for (const outer of ancestorsOf(node)) {
    if (around.has(outer)) return isOptionalIn(outer, child) && !around.has(child)
    if (isOptionalIn(outer, child)) return true
    child = outer
  }
  return false
}

function isOptionalIn(outer: Node, child: Node): boolean {
  switch (outer.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return outer.test !== child
    case 'LogicalExpression':
      return outer.right === child
    case 'SwitchCase':
    case 'CatchClause':
      return true
    case 'WhileStatement':
    case 'ForStatement':
    case 'ForOfStatement':
    case 'ForInStatement':
      return outer.body === child
    default:
      return false
  }
}

/** The option of a component that a function belongs to: `methods` of `{ methods: { save() {} } }`. */
function lateOptionOf(fn: FunctionNode): string | undefined {
  const { outer: member } = outerOf(fn)
  if (member?.type !== 'Property') return undefined
  const object = member.parent
  const holder = object?.parent
  if (isComponentOptions(object)) return matching(keyOf(member))
  return holder?.type === 'Property' && isComponentOptions(holder.parent)
    ? matching(keyOf(holder))
    : undefined
}

const matching = (name = '') => (lateOptions.test(name) ? name : undefined)

/** `export default { … }`, or the argument of `defineComponent`. */
function isComponentOptions(object: Node | null | undefined): boolean {
  if (object?.type !== 'ObjectExpression') return false
  const { parent } = object as Node
  if (parent?.type === 'ExportDefaultDeclaration') return true
  return (
    parent?.type === 'CallExpression' &&
    parent.callee.type === 'Identifier' &&
    parent.callee.name === 'defineComponent'
  )
}
