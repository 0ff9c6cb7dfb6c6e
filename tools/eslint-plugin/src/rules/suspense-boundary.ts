import type { Rule } from 'eslint'
import type * as ESTree from 'estree'
import { ancestorsOf, functionAround, isFunction, memberOf, nameOfFunction } from '../ast.js'
import type { Call, FunctionNode, JSXElement, Node } from '../ast.js'
import { hookCall, importedAs, variableOf } from '../names.js'
import { functionOf } from '../places.js'
import { defineRule } from '../rule.js'

const suspending = /^useSuspense(All)?$/
const boundary = /(^|\.)(Suspense|AsyncBoundary)$|Boundary$/

/** Reports components of React that suspend although nothing around them catches it, where this file has the whole tree. */
export const suspenseBoundary = defineRule({
  name: 'suspense-boundary',
  description: 'Put a boundary around a component that suspends.',
  type: 'problem',
  messages: {
    none: '{{hook}} suspends {{component}}, and there is no boundary between it and the root. Put <AsyncBoundary> around <{{component}}>.',
    inside:
      '{{hook}} suspends {{component}} itself, which the boundary that it renders does not catch. Move it into a component inside of the boundary, or put the boundary around <{{component}}>.',
  },
  create(context) {
    const readers = new Map<FunctionNode, { call: Call; hook: string }>()
    const elements: Extract<Node, { type: 'JSXElement' }>[] = []
    const roots = new Set<Node>()
    return {
      CallExpression(call: Extract<Node, { type: 'CallExpression' }>) {
        const hook = hookCall(context, call)
        const fn = functionAround(call)
        if (fn && hook?.framework === 'react' && suspending.test(hook.name) && !readers.has(fn))
          readers.set(fn, { call, hook: hook.name })
        const root = rootOf(context, call)
        if (root) roots.add(root)
      },
      JSXElement(node: Extract<Node, { type: 'JSXElement' }>) {
        elements.push(node)
      },
      'Program:exit'() {
        for (const [fn, { call, hook }] of readers) {
          const component = nameOfFunction(fn)
          if (component === undefined || !/^[A-Z]/.test(component)) continue
          const isShownBare = elements.some(
            (element) =>
              componentOf(context, element) === fn &&
              reachesRoot(context, element, elements, roots, new Set()),
          )
          if (!isShownBare) continue
          const ownBoundary = elements.some(
            (element) => functionAround(element) === fn && isBoundary(element),
          )
          context.report({
            node: call,
            messageId: ownBoundary ? 'inside' : 'none',
            data: { hook, component },
          })
        }
      },
    }
  },
})

const nameOfElement = ({ openingElement: { name } }: JSXElement): string =>
  name.type === 'JSXIdentifier' ? name.name : name.property.name

const isBoundary = (element: JSXElement) => boundary.test(nameOfElement(element))

/** The component of this file that an element shows. */
function componentOf(
  context: Rule.RuleContext,
  element: JSXElement & { parent?: Node | null },
): FunctionNode | undefined {
  const { name } = element.openingElement
  if (name.type !== 'JSXIdentifier') return undefined
  const variable = lookUp(context, element as Node, name.name)
  const [definition] = variable?.defs ?? []
  if (definition?.type === 'FunctionName') return definition.node as FunctionNode
  if (definition?.type !== 'Variable' || !definition.node.init) return undefined
  const init = definition.node.init as Node
  // memo(() => …), forwardRef(() => …)
  const inner = init.type === 'CallExpression' ? init.arguments[0] : init
  return inner && isFunction(inner) ? inner : functionOf(context, init)
}

function lookUp(context: Rule.RuleContext, at: Node, name: string) {
  const identifier = Object.create(at, { type: { value: 'Identifier' }, name: { value: name } }) as Node
  return variableOf(context, identifier)
}

/** `createRoot(…).render(<App />)`, `hydrateRoot(…, <App />)`, `renderToString(<App />)`: the element. */
function rootOf(context: Rule.RuleContext, call: ESTree.SimpleCallExpression): Node | undefined {
  const { callee } = call
  const { from = '', name = '' } = importedAs(context, callee) ?? {}
  const isReactDom = /^react-dom(\/|$)/.test(from)
  if (isReactDom && /^(hydrateRoot|render|hydrate)$/.test(name))
    return call.arguments.find((arg) => isElement(arg))
  if (callee.type !== 'MemberExpression' || memberOf(callee) !== 'render') return undefined
  const made = callee.object.type === 'CallExpression' ? callee.object.callee : undefined
  return made && importedAs(context, made)?.name === 'createRoot'
    ? call.arguments.find((arg) => isElement(arg))
    : undefined
}

const isElement = (node: Node) => node.type === 'JSXElement' || node.type === 'JSXFragment'

/** Whether an element stands in the tree of a root, without a boundary on the way. */
function reachesRoot(
  context: Rule.RuleContext,
  element: Node,
  elements: readonly Extract<Node, { type: 'JSXElement' }>[],
  roots: ReadonlySet<Node>,
  seen: Set<FunctionNode>,
): boolean {
  if (roots.has(element)) return true
  for (const outer of ancestorsOf(element)) {
    if (outer.type === 'JSXAttribute' || (outer.type === 'JSXElement' && mayCatch(outer))) return false
    if (roots.has(outer)) return true
    if (!isFunction(outer)) continue
    const name = nameOfFunction(outer)
    if (name === undefined || !/^[A-Z]/.test(name)) continue
    if (seen.has(outer)) return false
    seen.add(outer)
    return elements.some(
      (shown) => componentOf(context, shown) === outer && reachesRoot(context, shown, elements, roots, seen),
    )
  }
  return false
}

/** Whether an element is a boundary, or may put one around its children: all components, but for providers. */
function mayCatch(element: JSXElement): boolean {
  const name = nameOfElement(element)
  if (/^[a-z]/.test(name) || /^(StrictMode|Fragment|Profiler)$/.test(name)) return false
  return !name.endsWith('Provider')
}
