import type { Rule } from 'eslint'
import {
  functionAround,
  isFunction,
  memberOf,
  nameOfFunction,
  nodesIn,
  outerOf,
  startOf,
  unwrap,
} from './ast.js'
import type { FunctionNode, Node } from './ast.js'
import { calledName, definitionOf, importedAs, initOf } from './names.js'
import { vueScript } from './rule.js'

/** Code that runs for each component: at each render of React, or once when a component of Vue or Svelte is made. */
export interface Place {
  readonly when: 'render' | 'setup'
  /** The function; `undefined` in the script of a component file. */
  readonly fn: FunctionNode | undefined
  readonly name: string
}

/** Methods of lists that call their function at once. */
const callsAtOnce =
  /^(map|filter|flatMap|forEach|find|findLast|findIndex|some|every|reduce|reduceRight|sort|toSorted|from)$/

/** The component, hook or setup that runs an expression itself, and not a function that it hands on. */
export function placeOf(context: Rule.RuleContext, node: Node): Place | undefined {
  const fn = functionAround(node)
  if (fn === undefined) return isSetupScript(context, node) ? { when: 'setup', fn, name: 'setup' } : undefined
  const name = nameOfFunction(fn) ?? ''
  const isHook = /^use[A-Z]/.test(name)
  if (name === 'setup') return { when: 'setup', fn, name }
  if (isHook && isVueOrSvelte(context)) return { when: 'setup', fn, name }
  if (isHook || isComponent(context, fn, name)) return { when: 'render', fn, name }
  return isCalledAtOnce(fn) ? placeOf(context, fn) : undefined
}

function isSetupScript(context: Rule.RuleContext, node: Node): boolean {
  if (context.filename.endsWith('.vue')) return vueScript(context, node) === 'setup'
  return context.filename.endsWith('.svelte') && !isInModuleScript(context, node)
}

/** `<script module>` of a Svelte component: once for all of its instances. */
function isInModuleScript(context: Rule.RuleContext, node: Node): boolean {
  for (let outer = node.parent as Node | null | undefined; outer; outer = outer.parent) {
    if ((outer.type as string) !== 'SvelteScriptElement') continue
    const start = startOf(outer)
    const tag = context.sourceCode.text.slice(start, context.sourceCode.text.indexOf('>', start))
    return /\bmodule\b/.test(tag)
  }
  return false
}

function isVueOrSvelte({ filename, sourceCode }: Rule.RuleContext): boolean {
  if (/\.(vue|svelte|svelte\.[jt]s)$/.test(filename)) return true
  return sourceCode.ast.body.some(
    (statement) =>
      statement.type === 'ImportDeclaration' &&
      /^(@selfsame\/)?(vue|svelte)(\/|$)/.test(String(statement.source.value)),
  )
}

/** A component of React: named like one, and with markup or a hook in it. */
function isComponent({ sourceCode }: Rule.RuleContext, fn: FunctionNode, name: string): boolean {
  if (!/^[A-Z]/.test(name)) return false
  for (const node of nodesIn(fn.body, sourceCode, true)) {
    // `render(<App />)` is a test.
    const isMarkup = node.type === 'JSXElement' || node.type === 'JSXFragment'
    if (isMarkup && !/^(CallExpression|JSX.*)$/.test(node.parent?.type ?? '')) return true
    if (
      node.type === 'CallExpression' &&
      node.callee.type === 'Identifier' &&
      /^use[A-Z]/.test(node.callee.name)
    )
      return true
  }
  return false
}

function isCalledAtOnce(fn: FunctionNode): boolean {
  const { outer, child } = outerOf(fn)
  if (outer?.type !== 'CallExpression') return false
  if (outer.callee === child) return true
  const callee = unwrap(outer.callee)
  return callee.type === 'MemberExpression' && callsAtOnce.test(memberOf(callee) ?? '')
}

/**
 * Functions that call theirs later, and not for a component. `onMounted` of Vue is not among them: there the component is known, and what
 * is made ends with it.
 */
const late: Readonly<Record<string, RegExp>> = {
  vue: /^(watch|watchEffect|watchPostEffect|watchSyncEffect|nextTick)$/,
  svelte: /^(onMount|onDestroy|beforeUpdate|afterUpdate)$/,
}
const lateGlobals =
  /^(setTimeout|setInterval|queueMicrotask|requestAnimationFrame|requestIdleCallback|addEventListener)$/

const isRune = (node: Node) => node.type === 'Identifier' && node.name === '$effect'

/** What calls a function later, as far as it is known: `watch`, `setTimeout`, `then`. */
export function calledLaterBy(context: Rule.RuleContext, fn: FunctionNode): string | undefined {
  const { outer, child } = outerOf(fn)
  if (outer?.type !== 'CallExpression' || outer.callee === child) return undefined
  const callee = unwrap(outer.callee)
  if (callee.type === 'MemberExpression') {
    const name = memberOf(callee) ?? ''
    if (isRune(callee.object) && name === 'pre') return '$effect.pre'
    if (/^(then|catch|finally)$/.test(name)) return name
    return lateGlobals.test(name) ? name : undefined
  }
  if (callee.type !== 'Identifier') return undefined
  if (isRune(callee)) return callee.name
  const { name, from } = importedAs(context, callee) ?? { name: callee.name, from: '' }
  return late[from]?.test(name) || (from === '' && lateGlobals.test(name)) ? name : undefined
}

/** The function that an expression is, or that its name stands for; `useCallback(fn)` is that function. */
export function functionOf(context: Rule.RuleContext, expression: Node): FunctionNode | undefined {
  const node = unwrap(expression)
  if (isFunction(node)) return node
  if (node.type === 'CallExpression') {
    const [first] = node.arguments
    return calledName(context, node.callee) === 'useCallback' && first
      ? functionOf(context, first)
      : undefined
  }
  const definition = definitionOf(context, node)
  if (definition?.type === 'FunctionName') return definition.node as FunctionNode
  const init = initOf(context, node)
  return init === undefined || init === node ? undefined : functionOf(context, init)
}
