import type { Rule } from 'eslint'
import {
  ancestorsOf,
  functionAround,
  isFunction,
  isWithin,
  memberOf,
  nameOfFunction,
  nodesIn,
  unwrap,
} from '../ast.js'
import type { Call, Node } from '../ast.js'
import { definitionOf, hookCall, importedAs, initOf } from '../names.js'
import type { Framework } from '../names.js'
import { defineRule } from '../rule.js'

/** Hooks that follow their arguments, and how many there are at most. */
const lengths: Readonly<Record<string, number>> = {
  useSuspense: Infinity,
  useCache: Infinity,
  useCancelling: Infinity,
  useDLE: Infinity,
  useFetch: Infinity,
  // The last one has options.
  useInfinite: 1,
  useLast: Infinity,
  useLive: Infinity,
  usePrefetch: Infinity,
  useProgress: Infinity,
  useQuery: Infinity,
  useStatus: Infinity,
  useSubscription: Infinity,
}

/** Reports arguments of hooks that are read only once in Vue and Svelte. */
export const reactiveArgs = defineRule({
  name: 'reactive-args',
  description: 'In Vue and Svelte, pass arguments that change as a getter.',
  type: 'problem',
  fixable: 'code',
  messages: {
    once: '"{{name}}" is read once here, so {{hook}} does not follow it. Write a getter: () => (…).',
    lost: '"{{name}}" was taken from the props once, and does not change. Read it from the props: () => ({ … props.{{name}} }).',
  },
  create(context) {
    return {
      CallExpression(call: Call) {
        const hook = call.type === 'CallExpression' ? hookCall(context, call) : undefined
        if (hook === undefined || hook.framework === 'react') return
        const { name, framework } = hook
        // Inside of $derived it is called again.
        if (framework === 'svelte' && isFollowed(call)) return
        for (const arg of call.arguments.slice(1, 1 + (lengths[name] ?? 0)))
          checkArg(context, arg, name, framework)
      },
    }
  },
})

const isFollowed = (call: Node) =>
  [...ancestorsOf(call)].some(
    (outer) => outer.type === 'CallExpression' && /^\$(derived|effect)/.test(textOfCallee(outer.callee)),
  )
const textOfCallee = (callee: Node) =>
  callee.type === 'MemberExpression' && callee.object.type === 'Identifier'
    ? callee.object.name
    : callee.type === 'Identifier'
      ? callee.name
      : ''

function checkArg(context: Rule.RuleContext, arg: Node, hook: string, framework: Framework): void {
  for (const node of nodesIn(arg, context.sourceCode, true)) {
    const lost = framework === 'vue' && lostProp(context, node)
    if (lost) return context.report({ node: node as Rule.Node, messageId: 'lost', data: { name: lost } })
  }
  if (isFunction(unwrap(arg)) || arg.type === 'SpreadElement') return
  for (const node of nodesIn(arg, context.sourceCode)) {
    const name = framework === 'vue' ? readInVue(context, node) : readInSvelte(context, node)
    if (name === undefined) continue
    const text = context.sourceCode.getText(arg as Rule.Node)
    const isBare = /^[\w.?![\]'"`]+$/.test(text)
    context.report({
      node: arg as Rule.Node,
      messageId: 'once',
      data: { name, hook },
      fix: (fixer) => fixer.replaceText(arg as Rule.Node, isBare ? `() => ${text}` : `() => (${text})`),
    })
    return
  }
}

/** The name of a reactive value of Vue that an expression reads: a destructured prop, `props.id`, `user.value`. */
function readInVue(context: Rule.RuleContext, node: Node): string | undefined {
  if (node.type === 'Identifier')
    return isValueOf(node) && isDestructuredFrom(context, node, isVueProps) ? node.name : undefined
  if (node.type !== 'MemberExpression') return undefined
  const object = unwrap(node.object)
  if (object.type !== 'Identifier') return undefined
  const text = context.sourceCode.getText(node)
  if (isVueProps(context, initOf(context, object)) || isPropsOfSetup(context, object)) return text
  const source = declaredBy(context, object)
  if (source?.type !== 'CallExpression') return undefined
  const { name, from } = importedAs(context, source.callee) ?? { name: nameOfCallee(source.callee), from: '' }
  const isMacro = from === '' && name === 'defineModel'
  if (memberOf(node) === 'value') {
    const isRef = from === 'vue' && /^(ref|shallowRef|computed|toRef|customRef|useModel)$/.test(name)
    return isRef || isMacro || from === '@selfsame/vue' ? text : undefined
  }
  const isReactive = from === 'vue' && /^(reactive|shallowReactive|readonly)$/.test(name)
  return isReactive || (from === 'vue-router' && name === 'useRoute') ? text : undefined
}

/** The name of a reactive value of Svelte that an expression reads: a prop, a rune, a member of a handle, `$page`. */
function readInSvelte(context: Rule.RuleContext, node: Node): string | undefined {
  if (node.type === 'Identifier') {
    if (!isValueOf(node)) return undefined
    if (isDestructuredFrom(context, node, isRune)) return node.name
    // `$page` is the value of the store `page`.
    const isStoreValue = /^\$[a-z]\w*$/.test(node.name) && !isRuneName(node.name)
    return isRune(context, initOf(context, node)) || isStoreValue ? node.name : undefined
  }
  if (node.type !== 'MemberExpression') return undefined
  const object = unwrap(node.object)
  const from = importedAs(context, object)?.from
  const init = declaredBy(context, object)
  const isHandle =
    init !== undefined &&
    hookCall(context, init) !== undefined &&
    hookCall(context, init)?.name !== 'useController'
  return from === '$app/state' || isHandle ? context.sourceCode.getText(node) : undefined
}

/** What a variable, or the variables of a pattern, are declared with; without `await`. */
function declaredBy(context: Rule.RuleContext, name: Node): Node | undefined {
  const definition = definitionOf(context, name)
  if (definition?.type !== 'Variable' || !definition.node.init) return undefined
  const init = unwrap(definition.node.init)
  return init.type === 'AwaitExpression' ? unwrap(init.argument) : init
}

type Test = (context: Rule.RuleContext, init: Node | undefined) => boolean

/** Whether a name stands in a pattern: `const { id } = $props()`. */
function isDestructuredFrom(context: Rule.RuleContext, name: Node, isSource: Test): boolean {
  const definition = definitionOf(context, name)
  if (definition?.type !== 'Variable' || definition.node.id.type !== 'ObjectPattern') return false
  return definition.node.init != null && isSource(context, unwrap(definition.node.init))
}

const nameOfCallee = (callee: Node) => (callee.type === 'Identifier' ? callee.name : '')

const isVueProps: Test = (_context, init) =>
  init?.type === 'CallExpression' && /^(defineProps|withDefaults)$/.test(nameOfCallee(init.callee))

const isRuneName = (name: string) => /^\$(props|state|derived|bindable|effect|inspect|host)$/.test(name)
const isRune: Test = (_context, init) => {
  if (init?.type !== 'CallExpression') return false
  const { callee } = init
  const root = callee.type === 'MemberExpression' ? callee.object : callee
  return /^\$(props|state|derived)$/.test(nameOfCallee(root))
}

/** Whether a name is the parameter `props` of `setup(props)`. */
function isPropsOfSetup(context: Rule.RuleContext, name: Node): boolean {
  const definition = definitionOf(context, name)
  if (definition?.type !== 'Parameter' || !isFunction(definition.node as Node)) return false
  const fn = definition.node
  return fn.params[0] === definition.name && nameOfFunction(fn as never) === 'setup'
}

/** The name of a prop that was copied out of the props: by `const { id } = props`, or by `setup({ id })`. */
function lostProp(context: Rule.RuleContext, node: Node): string | undefined {
  if (node.type !== 'Identifier' || !isValueOf(node)) return undefined
  const isCopied = isDestructuredFrom(
    context,
    node,
    (_, init) =>
      init?.type === 'Identifier' &&
      (isVueProps(context, initOf(context, init)) || isPropsOfSetup(context, init)),
  )
  if (isCopied) return node.name
  const definition = definitionOf(context, node)
  if (definition?.type !== 'Parameter') return undefined
  const fn = functionAround(definition.name as Node)
  return fn?.params[0]?.type === 'ObjectPattern' &&
    nameOfFunction(fn) === 'setup' &&
    isWithin(definition.name, fn.params[0])
    ? node.name
    : undefined
}

/** Whether an identifier is read: it is no name of a member or of a property. */
function isValueOf(node: Node): boolean {
  const { parent } = node
  if (parent?.type === 'MemberExpression') return parent.object === node || parent.computed
  if (parent?.type === 'Property') return parent.value === node || parent.computed
  return !parent?.type.startsWith('TS') || unwrap(parent) !== parent
}
