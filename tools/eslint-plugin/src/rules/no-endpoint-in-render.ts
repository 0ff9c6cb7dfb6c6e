import type { Rule } from 'eslint'
import { isFunction, isWithin, memberOf, nodesIn, outerOf, unwrap } from '../ast.js'
import type { Call, Node } from '../ast.js'
import { calledName, initOf, selfsameName, variableOf } from '../names.js'
import { placeOf } from '../places.js'
import type { Place } from '../places.js'
import { defineRule } from '../rule.js'

const definitions = /^(Endpoint|RestEndpoint|GQLEndpoint|Query|createResource)$/
const members = /^(get|getList|create|update|partialUpdate|delete|move)$/
/** The method that derives an endpoint from another. */
const derivations = /^extend$/

/** Reports endpoints, resources, queries and Controllers that each render or each component makes anew. */
export const noEndpointInRender = defineRule({
  name: 'no-endpoint-in-render',
  description: 'Create endpoints once, in a module, and the Controller once in an application.',
  type: 'problem',
  fixable: 'code',
  messages: {
    render: 'Each render of {{place}} makes a new {{what}}. Move it to the top of a module.',
    setup: 'Each instance of this component makes a new {{what}}. Move it to a module.',
    controller:
      'Each render of {{place}} makes a new Controller, with an empty cache. Move it to the top of a module, or write useState(() => new Controller()).',
    eager: 'Each render makes a Controller, of which only the first is used. Write useState(() => …).',
  },
  create(context) {
    const check = (call: Call) => {
      const what = madeBy(context, call)
      if (what === undefined) return
      if (what === 'Controller') checkController(context, call)
      else {
        const place = placeOf(context, call)
        if (place === undefined || isKept(context, call)) return
        const fix = toModule(context, call, place)
        context.report({
          node: call,
          messageId: place.when,
          data: { what, place: place.name },
          ...(fix && { fix }),
        })
      }
    }
    return { NewExpression: check, CallExpression: check }
  },
})

/** What a call makes: `RestEndpoint`, `resource`, `Controller`. */
function madeBy(context: Rule.RuleContext, call: Call): string | undefined {
  const name = selfsameName(context, call.callee)
  if (call.type === 'NewExpression')
    return name === 'Controller' || (name !== undefined && definitions.test(name)) ? name : undefined
  if (name === 'createResource') return 'resource'
  const callee = unwrap(call.callee)
  if (callee.type !== 'MemberExpression' || !derivations.test(memberOf(callee) ?? '')) return undefined
  return isEndpoint(context, unwrap(callee.object)) ? 'endpoint' : undefined
}

function isEndpoint(context: Rule.RuleContext, node: Node): boolean {
  if (node.type === 'MemberExpression')
    return members.test(memberOf(node) ?? '') && unwrap(node.object).type === 'Identifier'
  const init = initOf(context, node)
  return (
    (init?.type === 'NewExpression' || init?.type === 'CallExpression') &&
    !/^(Controller|Query)?$/.test(madeBy(context, init) ?? '')
  )
}

function checkController(context: Rule.RuleContext, call: Call): void {
  const place = placeOf(context, call)
  if (place?.when !== 'render') return
  const { outer, child } = outerOf(call)
  // ref.current ??= new Controller(), and what stands in an `if`, is made once.
  if (outer?.type === 'AssignmentExpression' && outer.left.type === 'MemberExpression') return
  const hook =
    outer?.type === 'CallExpression' && outer.callee !== child ? calledName(context, outer.callee) : ''
  if (hook === 'useRef') return
  if (hook === 'useState')
    context.report({
      node: call,
      messageId: 'eager',
      fix: (fixer) => fixer.insertTextBefore(child as Rule.Node, '() => '),
    })
  else context.report({ node: call, messageId: 'controller', data: { place: place.name } })
}

/** Whether a definition is kept between renders: `useRef(createResource(…))`. */
function isKept(context: Rule.RuleContext, call: Call): boolean {
  const { outer, child } = outerOf(call)
  if (outer?.type !== 'CallExpression' || outer.callee === child) return false
  return /^use(Ref|State)$/.test(calledName(context, outer.callee))
}

/** Moves `const getTodos = …` in front of the component, if it needs nothing of it. */
function toModule(context: Rule.RuleContext, call: Call, { fn }: Place): Rule.ReportFixer | undefined {
  const { sourceCode } = context
  const { outer: declarator } = outerOf(call)
  if (fn === undefined || declarator?.type !== 'VariableDeclarator' || declarator.id.type !== 'Identifier')
    return undefined
  const declaration = declarator.parent
  if (declaration?.type !== 'VariableDeclaration' || declaration.declarations.length !== 1) return undefined
  if (declaration.kind !== 'const' || declaration.parent !== fn.body) return undefined
  let statement: Node = fn
  while (statement.parent && statement.parent.type !== 'Program') statement = statement.parent
  const module = sourceCode.getScope(statement as Rule.Node)
  if (module.set.has(declarator.id.name) || needsLocal(context, call, statement)) return undefined
  const text = sourceCode.getText(declaration as Rule.Node)
  return (fixer) => [
    fixer.insertTextBefore(statement as Rule.Node, `${text}\n\n`),
    fixer.removeRange(withLine(sourceCode.text, declaration.range ?? [0, 0])),
  ]
}

/** Whether an expression names something that is declared inside of a statement, but not inside of the expression. */
function needsLocal(context: Rule.RuleContext, call: Call, statement: Node): boolean {
  for (const node of nodesIn(call, context.sourceCode, true)) {
    if (node.type === 'ThisExpression' || node.type === 'AwaitExpression') return true
    const names = variableOf(context, node)?.defs.map(({ name }) => name as Node) ?? []
    if (
      names.some((name) => isWithin(name, statement) && !isWithin(name, call) && !isNameOf(statement, name))
    )
      return true
  }
  return false
}

const isNameOf = (statement: Node, name: Node) =>
  isFunction(statement) && 'id' in statement && statement.id === name

/** A range with the indentation in front of it and the end of its line. */
function withLine(text: string, [start, end]: [number, number]): [number, number] {
  const before = text.slice(0, start).replace(/[ \t]+$/, '').length
  const after = /^[ \t]*\r?\n/.exec(text.slice(end))?.[0].length ?? 0
  return [before, end + after]
}
