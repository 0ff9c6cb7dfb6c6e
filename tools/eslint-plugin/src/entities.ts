import type { Rule } from 'eslint'
import type * as ESTree from 'estree'
import { endOf, keyOf, startOf, unwrap } from './ast.js'
import type { Node } from './ast.js'
import { definitionOf, initOf, selfsameName } from './names.js'

export type ClassNode = (ESTree.ClassDeclaration | ESTree.ClassExpression) & {
  parent?: Node | null
  abstract?: boolean
}

/** The class that a name stands for, if it is declared in this file. */
export function classOf(context: Rule.RuleContext, expression: Node): ClassNode | undefined {
  const node = unwrap(expression)
  if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') return node
  const definition = definitionOf(context, node)
  if (definition?.type === 'ClassName') return definition.node as ClassNode
  const init = initOf(context, node)
  return init?.type === 'ClassExpression' ? init : undefined
}

/** A class and those of this file that it extends. */
export function* lineOf(context: Rule.RuleContext, node: ClassNode): Generator<ClassNode> {
  const seen = new Set<ClassNode>()
  for (let next: ClassNode | undefined = node; next && !seen.has(next);) {
    seen.add(next)
    yield next
    next = next.superClass ? classOf(context, next.superClass) : undefined
  }
}

/** Whether a class is an Entity, as far as this file tells. `EntityMixin(…)` counts too. */
export function isEntity(context: Rule.RuleContext, node: ClassNode): boolean {
  return baseOf(context, node) !== undefined
}

/** What the classes of this file end in: `Entity`, `GQLEntity`, or the call of `EntityMixin`. */
export function baseOf(context: Rule.RuleContext, node: ClassNode): Node | undefined {
  const last = [...lineOf(context, node)].at(-1)
  if (!last?.superClass) return undefined
  const base = unwrap(last.superClass)
  const name = selfsameName(context, base.type === 'CallExpression' ? base.callee : base)
  const isCall = base.type === 'CallExpression'
  return (isCall ? name === 'EntityMixin' : name === 'Entity' || name === 'GQLEntity') ? base : undefined
}

type Static = ESTree.PropertyDefinition | ESTree.MethodDefinition

/** A static member of a class itself. */
export function staticOf(node: ClassNode, name: string): Static | undefined {
  return node.body.body.find(
    (member): member is Static =>
      (member.type === 'PropertyDefinition' || member.type === 'MethodDefinition') &&
      member.static &&
      keyOf(member) === name,
  )
}

/** Whether a static is assigned after the class: `User.schema = { … }`. */
export function isAssigned(context: Rule.RuleContext, node: ClassNode, name: string): boolean {
  const [variable] = node.id ? context.sourceCode.getDeclaredVariables(node as Rule.Node) : []
  return (variable?.references ?? []).some(({ identifier }) => {
    const { parent } = identifier as Node
    return (
      parent?.type === 'MemberExpression' &&
      parent.object === identifier &&
      parent.property.type === 'Identifier' &&
      parent.property.name === name &&
      parent.parent?.type === 'AssignmentExpression' &&
      parent.parent.left === parent
    )
  })
}

/** `static override` where the class says `override`, or where TypeScript may ask for it. */
export function staticPrefix({ filename, sourceCode }: Rule.RuleContext, node: ClassNode): string {
  const text = sourceCode.getText(node as Rule.Node)
  if (/\bstatic override\b/.test(text)) return 'static override'
  const isTyped = /\.([cm]?ts|tsx)$/.test(filename) || /<script[^>]*lang="ts"/.test(sourceCode.text)
  return isTyped && !/\bstatic (key|schema)\b/.test(text) ? 'static override' : 'static'
}

/** Adds a member at the end of a class. */
export function addMember(
  context: Rule.RuleContext,
  node: ClassNode,
  member: string,
): Rule.ReportFixer | undefined {
  const { sourceCode } = context
  const last = node.body.body.at(-1)
  const indentOf = (at: number) => /[ \t]*$/.exec(sourceCode.text.slice(0, at))?.[0] ?? ''
  if (last !== undefined) {
    // A comment behind the last member stays behind it.
    const lineEnd = sourceCode.text.indexOf('\n', endOf(last))
    const isOneLine = lineEnd === -1 || lineEnd > endOf(node.body)
    const at = isOneLine ? endOf(last) : lineEnd
    const text = isOneLine ? `; ${member}` : `\n${indentOf(startOf(last))}${member}`
    return (fixer) => fixer.insertTextBeforeRange([at, at], text)
  }
  const lineStart = sourceCode.text.lastIndexOf('\n', node.range?.[0]) + 1
  const indent = /^[ \t]*/.exec(sourceCode.text.slice(lineStart))?.[0] ?? ''
  return (fixer) => fixer.replaceText(node.body as Rule.Node, `{\n${indent}  ${member}\n${indent}}`)
}
