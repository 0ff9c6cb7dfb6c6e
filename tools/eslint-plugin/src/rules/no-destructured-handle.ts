import type { Rule } from 'eslint'
import type * as ESTree from 'estree'
import { ancestorsOf, keyOf, unwrap } from '../ast.js'
import type { Node } from '../ast.js'
import { hookCall, initOf } from '../names.js'
import { placeOf } from '../places.js'
import { defineRule } from '../rule.js'

/** Members of handles that are functions: they stay the same. */
const functions = /^(run|fetchNext|fetchPrevious|refetch|cancel|subscribe|flush|prefetch|then)$/
/** Hooks whose result is not reactive. */
const plain = /^(useController|useCancelling|usePrefetch)$/

/** Reports handles of Svelte, and refs of Vue, that are taken apart: what comes out does not change any more. */
export const noDestructuredHandle = defineRule({
  name: 'no-destructured-handle',
  description: 'Do not destructure the handles of Svelte or the refs of Vue.',
  type: 'problem',
  fixable: 'code',
  messages: {
    svelte:
      '"{{member}}" is read once here, and does not change. Keep the handle, and read {{handle}}.{{member}}.',
    vue: 'The value of the ref is read once here, and does not change. Keep the ref, and read its value where it is used.',
  },
  create(context) {
    return {
      VariableDeclarator(node: ESTree.VariableDeclarator & { parent: ESTree.VariableDeclaration }) {
        const { id, init } = node
        if (!init || id.type !== 'ObjectPattern') return
        const kept = keptHandle(context, node as Node, init)
        const hook = hookCall(context, kept?.init ?? init)
        if (hook === undefined || plain.test(hook.name)) return
        const handle = kept?.name ?? handleName(hook.name)
        for (const property of id.properties) {
          const member = (property.type === 'Property' ? keyOf(property) : undefined) ?? '…'
          if (hook.framework === 'svelte' && !functions.test(member)) {
            const fix = toDerived(context, node, handle, kept !== undefined)
            return context.report({
              node: property,
              messageId: 'svelte',
              data: { member, handle },
              ...(fix && { fix }),
            })
          }
          if (hook.framework === 'vue' && member === 'value')
            return context.report({ node: property, messageId: 'vue' })
        }
      },
    }
  },
})

/**
 * The handle that a name stands for: `const h = useDLE(…); const { data } = h`. Only in the setup of a component, because a function that
 * runs later, and markup, read it then.
 */
function keptHandle(context: Rule.RuleContext, declarator: Node, init: ESTree.Expression) {
  const name = unwrap(init)
  const isInMarkup = [...ancestorsOf(declarator)].some(({ type }) => /^Svelte(?!Script|Program)/.test(type))
  if (name.type !== 'Identifier' || isInMarkup || placeOf(context, declarator)?.when !== 'setup')
    return undefined
  const made = initOf(context, name)
  return made && { name: name.name, init: made }
}

/** `useDLE` gives `dle`, `useSuspense` gives `suspense`. */
const handleName = (hook: string) =>
  hook.slice(3).replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (start) => start.toLowerCase())

/** `const { data } = useDLE(…)` becomes `const dle = useDLE(…)` and `const data = $derived(dle.data)`. */
function toDerived(
  context: Rule.RuleContext,
  { id, init, parent }: ESTree.VariableDeclarator & { parent: ESTree.VariableDeclaration },
  handle: string,
  isKept: boolean,
): Rule.ReportFixer | undefined {
  if (id.type !== 'ObjectPattern' || !init || parent.declarations.length !== 1) return undefined
  const names = id.properties.map((property) => {
    if (property.type !== 'Property' || unwrap(property.value as Node).type !== 'Identifier') return undefined
    const member = keyOf(property)
    return member === undefined ? undefined : { member, name: (property.value as ESTree.Identifier).name }
  })
  const { sourceCode } = context
  if (names.includes(undefined)) return undefined
  for (
    let scope: ReturnType<typeof sourceCode.getScope> | null = sourceCode.getScope(parent);
    scope;
    scope = scope.upper
  )
    if (!isKept && scope.set.has(handle)) return undefined
  const indent = /[ \t]*$/.exec(sourceCode.text.slice(0, parent.range?.[0]))?.[0] ?? ''
  const lines = names.map((pair) =>
    pair === undefined
      ? ''
      : functions.test(pair.member)
        ? `const ${pair.name} = ${handle}.${pair.member}`
        : `const ${pair.name} = $derived(${handle}.${pair.member})`,
  )
  const first = isKept ? [] : [`const ${handle} = ${sourceCode.getText(init)}`]
  const text = [...first, ...lines].join(`\n${indent}`)
  return (fixer) => fixer.replaceText(parent, text)
}
