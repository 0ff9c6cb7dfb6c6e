import type { Rule } from 'eslint'
import { memberOf, outerOf, unwrap } from '../ast.js'
import type { Node, VueDirective } from '../ast.js'
import { kindOf } from '../data.js'
import { defineRule, withTemplate } from '../rule.js'

const mutating = /^(push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin)$/
const dateSetter = /^set(UTC)?(Date|Month|FullYear|Hours|Minutes|Seconds|Milliseconds)$/

/** Reports code that changes what was read from the cache. */
export const noDataMutation = defineRule({
  name: 'no-data-mutation',
  description: 'Do not change data from the cache in place.',
  type: 'problem',
  fixable: 'code',
  messages: {
    assigned:
      '"{{text}}" is data from the cache, which all readers share. Change it by a mutation: controller.fetch(…), or controller.set(…).',
    called:
      '"{{method}}" changes "{{text}}", which is data from the cache. Copy it first: [...{{text}}].{{method}}(…).',
    bound:
      '"{{text}}" is data from the cache, and an input would change it. Bind a copy, and send it by a mutation.',
  },
  create(context) {
    const textOf = (node: Node) => context.sourceCode.getText(node as Rule.Node)
    const checkTarget = (target: Node, at: Node, messageId = 'assigned') => {
      const node = unwrap(target)
      if (node.type === 'ObjectPattern' || node.type === 'ArrayPattern') return
      if (node.type !== 'MemberExpression' || kindOf(context, node.object) !== 'data') return
      context.report({ node: at as Rule.Node, messageId, data: { text: textOf(node) } })
    }
    return withTemplate(
      context,
      {
        VAttribute({ key, value, directive }: VueDirective) {
          if (directive && key.name.name === 'model' && value?.expression)
            checkInTemplate(context, value.expression)
        },
      },
      {
        AssignmentExpression(node: Extract<Node, { type: 'AssignmentExpression' }>) {
          checkTarget(node.left, node)
        },
        UpdateExpression(node: Extract<Node, { type: 'UpdateExpression' }>) {
          checkTarget(node.argument, node)
        },
        UnaryExpression(node: Extract<Node, { type: 'UnaryExpression' }>) {
          if (node.operator === 'delete') checkTarget(node.argument, node)
        },
        CallExpression(node: Extract<Node, { type: 'CallExpression' }>) {
          const callee = unwrap(node.callee)
          if (callee.type !== 'MemberExpression') return
          const method = memberOf(callee) ?? ''
          const [first] = node.arguments
          if (isObjectAssign(callee) && first && kindOf(context, first) === 'data')
            context.report({ node, messageId: 'assigned', data: { text: textOf(first) } })
          if (!mutating.test(method) && !dateSetter.test(method)) return
          if (kindOf(context, callee.object) !== 'data') return
          const text = textOf(callee.object)
          const isCopyable = /^(sort|reverse)$/.test(method) && !isStatement(node)
          context.report({
            node,
            messageId: dateSetter.test(method) ? 'assigned' : 'called',
            data: { text, method },
            ...(isCopyable && { fix: (fixer) => fixer.replaceText(callee.object, `[...${text}]`) }),
          })
        },
        SvelteDirective({ kind, expression }: Extract<Node, { type: 'SvelteDirective' }>) {
          if (kind === 'Binding' && expression) checkTarget(expression, expression, 'bound')
        },
      },
    )
  },
})

const isObjectAssign = (callee: Extract<Node, { type: 'MemberExpression' }>) =>
  callee.object.type === 'Identifier' && callee.object.name === 'Object' && memberOf(callee) === 'assign'

const isStatement = (node: Node) => outerOf(node).outer?.type === 'ExpressionStatement'

/** `v-model="todo.title"`: in a template refs stand without `.value`. */
function checkInTemplate(context: Rule.RuleContext, expression: Node): void {
  const node = unwrap(expression)
  if (node.type !== 'MemberExpression') return
  let root: Node = node
  while (root.type === 'MemberExpression') root = unwrap(root.object)
  if (root.type !== 'Identifier' || isTemplateVariable(root)) return
  if (kindOf(context, root) === undefined) return
  const text = context.sourceCode.getText(node)
  context.report({ node: node as Rule.Node, messageId: 'bound', data: { text } })
}

/** Whether a name is declared by the template: `v-for="todo in todos"`. */
function isTemplateVariable(name: Extract<Node, { type: 'Identifier' }>): boolean {
  for (let outer = name.parent; outer; outer = outer.parent) {
    const { variables = [] } = outer as { variables?: { id: { name: string } }[] }
    if (variables.some(({ id }) => id.name === name.name)) return true
  }
  return false
}
