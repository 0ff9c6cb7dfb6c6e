import type { Rule } from 'eslint'
import type { Node, VueDirective } from './ast.js'
import { withTemplate } from './rule.js'

export type EventFramework = 'react' | 'vue' | 'svelte'

/**
 * Visits what is given to events of elements: `onClick={…}` of JSX, `@click="…"` of Vue, `onclick={…}` and `on:click={…}` of Svelte.
 * What a component is given it may handle itself; Vue also hands on what a handler of a component returns.
 */
export function eventHandlers(
  context: Rule.RuleContext,
  visit: (handler: Node, framework: EventFramework) => void,
) {
  return withTemplate(
    context,
    {
      VAttribute({ directive, key, value }: VueDirective) {
        if (directive && key.name.name === 'on' && value?.expression) visit(value.expression, 'vue')
      },
    },
    {
      JSXAttribute({ name, value, parent }: Extract<Node, { type: 'JSXAttribute' }>) {
        const isEvent = name.type === 'JSXIdentifier' && /^on[A-Z]/.test(name.name) && isOfElement(parent)
        if (isEvent && value?.type === 'JSXExpressionContainer') visit(value.expression, 'react')
      },
      SvelteAttribute({ key, value: [first], parent }: Extract<Node, { type: 'SvelteAttribute' }>) {
        if (/^on[a-z]/.test(key.name) && isOfElement(parent?.parent) && first?.type === 'SvelteMustacheTag')
          visit(first.expression, 'svelte')
      },
      SvelteDirective({ kind, expression, parent }: Extract<Node, { type: 'SvelteDirective' }>) {
        if (kind === 'EventHandler' && isOfElement(parent?.parent) && expression) visit(expression, 'svelte')
      },
    },
  )
}

/** Whether an attribute stands in the tag of an element of HTML: `<form>`, and not `<TodoForm>`. */
function isOfElement(tag: Node | null | undefined): boolean {
  if (tag?.type === 'JSXOpeningElement')
    return tag.name.type === 'JSXIdentifier' && /^[a-z]/.test(tag.name.name)
  return tag?.type === 'SvelteElement' && tag.kind === 'html'
}
