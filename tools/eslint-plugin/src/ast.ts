import type { SourceCode } from 'eslint'
import type * as ESTree from 'estree'

// Nodes as ESLint hands them over: JavaScript as ESTree has it, and what the parsers of TypeScript, JSX, Vue and Svelte add to it.

interface TypeScriptWrapper {
  type: 'TSAsExpression' | 'TSSatisfiesExpression' | 'TSNonNullExpression' | 'TSTypeAssertion'
  expression: ESTree.Expression
}

/** A type that is written down; `typeName` of a reference, `types` of a union, `elementType` of a list. */
export interface TypeNode {
  type: string
  typeName?: { type: string; name?: string }
  typeArguments?: { params: TypeNode[] }
  types?: TypeNode[]
  elementType?: TypeNode
  typeAnnotation?: TypeNode
}

interface JSXName {
  type: 'JSXIdentifier'
  name: string
}
export interface JSXElement {
  type: 'JSXElement'
  openingElement: JSXOpening
  children: Node[]
}
interface JSXOpening {
  type: 'JSXOpeningElement'
  name: JSXName | JSXMember
  attributes: Node[]
}
interface JSXMember {
  type: 'JSXMemberExpression'
  object: JSXName | JSXMember
  property: JSXName
}
interface JSXFragment {
  type: 'JSXFragment'
  children: Node[]
}
interface JSXAttribute {
  type: 'JSXAttribute'
  name: JSXName
  value: Node | null
}
interface JSXExpressionContainer {
  type: 'JSXExpressionContainer'
  expression: ESTree.Expression
}

interface VueExpressionContainer {
  type: 'VExpressionContainer'
  expression: Node | null
}
/** An attribute of a template that has an argument or an expression: `@click="save"`, `:title="todo.title"`. */
export interface VueDirective {
  type: 'VAttribute'
  directive: true
  key: { name: { name: string }; argument: { name?: string } | null }
  value: VueExpressionContainer | null
}
/** What stands in an attribute of an event, where it is more than a name or a function. */
interface VueHandler {
  type: 'VOnExpression'
  body: ESTree.Statement[]
}

interface SvelteName {
  type: 'SvelteName'
  name: string
}
interface SvelteElement {
  type: 'SvelteElement'
  kind: 'html' | 'component' | 'special'
}
interface SvelteAttribute {
  type: 'SvelteAttribute'
  key: SvelteName
  value: Node[]
}
interface SvelteMustache {
  type: 'SvelteMustacheTag'
  expression: ESTree.Expression
}
/** `on:click={save}`, `bind:value={title}`. */
interface SvelteDirective {
  type: 'SvelteDirective'
  kind: string
  expression: ESTree.Expression | null
}

type Foreign =
  | TypeScriptWrapper
  | JSXElement
  | JSXOpening
  | JSXFragment
  | JSXAttribute
  | JSXExpressionContainer
  | JSXName
  | JSXMember
  | VueDirective
  | VueExpressionContainer
  | VueHandler
  | SvelteName
  | SvelteElement
  | SvelteAttribute
  | SvelteMustache
  | SvelteDirective

export type Node = (ESTree.Node | Foreign) & { parent?: Node | null; range?: [number, number] | undefined }
export type FunctionNode = (
  ESTree.FunctionDeclaration | ESTree.FunctionExpression | ESTree.ArrowFunctionExpression
) & {
  parent?: Node | null
}
export type Call = ESTree.CallExpression | ESTree.NewExpression
export type Field = ESTree.PropertyDefinition & {
  typeAnnotation?: { typeAnnotation: TypeNode }
  declare?: boolean
}

interface Ranged {
  range?: [number, number] | undefined
}
export const startOf = ({ range }: Ranged) => range?.[0] ?? 0
export const endOf = ({ range }: Ranged) => range?.[1] ?? 0
export const isWithin = (inner: Ranged, outer: Ranged) =>
  startOf(outer) <= startOf(inner) && endOf(inner) <= endOf(outer)

/** The expression inside of `as`, `!`, `satisfies` and optional chains. */
export function unwrap(node: Node): Node {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'ChainExpression':
      return unwrap(node.expression)
    default:
      return node
  }
}

/** The node around `node` that is not just a wrapper of types or of an optional chain. */
export function outerOf(node: Node): { outer: Node | undefined; child: Node } {
  let child = node
  while (child.parent && unwrap(child.parent) !== child.parent) child = child.parent
  return { outer: child.parent ?? undefined, child }
}

/** The nodes around a node, from the inside out. */
export function* ancestorsOf(node: Node): Generator<Node> {
  for (let outer = node.parent; outer; outer = outer.parent) yield outer
}

export const isFunction = (node: Node | null | undefined): node is FunctionNode =>
  node?.type === 'FunctionDeclaration' ||
  node?.type === 'FunctionExpression' ||
  node?.type === 'ArrowFunctionExpression'

/** The innermost function around a node. */
export function functionAround(node: Node): FunctionNode | undefined {
  for (const outer of ancestorsOf(node)) if (isFunction(outer)) return outer
  return undefined
}

/** The nodes directly inside of a node, by the keys that its parser knows. */
function childrenOf(node: Node, { visitorKeys }: Pick<SourceCode, 'visitorKeys'>): Node[] {
  const fields = node as unknown as Readonly<Record<string, unknown>>
  const keys = visitorKeys[node.type] ?? Object.keys(node).filter((key) => key !== 'parent')
  return keys.flatMap((key) => [fields[key]].flat()).filter(isNode)
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string'

/**
 * A node and all that is in it. Functions inside of it are left out, because they run at another time.
 *
 * @param intoFunctions - `true` to look into functions too. @default false
 */
export function* nodesIn(node: Node, code: SourceCode, intoFunctions = false): Generator<Node> {
  yield node
  for (const child of childrenOf(node, code)) {
    if (intoFunctions || !isFunction(child)) yield* nodesIn(child, code, intoFunctions)
  }
}

/** The name of a function: of its declaration, or of what it is assigned to. */
export function nameOfFunction(fn: FunctionNode): string | undefined {
  if (fn.type !== 'ArrowFunctionExpression' && fn.id) return fn.id.name
  const { outer, child } = outerOf(fn)
  if (outer?.type === 'VariableDeclarator' && outer.init === child) return nameOf(outer.id)
  if (outer?.type === 'Property' || outer?.type === 'MethodDefinition') return keyOf(outer)
  if (outer?.type === 'AssignmentExpression') return nameOf(outer.left)
  // memo(() => …), forwardRef(() => …)
  if (outer?.type !== 'CallExpression' || outer.arguments[0] !== child) return undefined
  const around = outerOf(outer)
  return around.outer?.type === 'VariableDeclarator' && around.outer.init === around.child
    ? nameOf(around.outer.id)
    : undefined
}

/** The name of an identifier, or the last name of a member. */
export function nameOf(node: Node): string | undefined {
  if (node.type === 'Identifier') return node.name
  return node.type === 'MemberExpression' ? memberOf(node) : undefined
}

/** The name of the member that an expression reads, if it is known. */
export function memberOf({ property, computed }: ESTree.MemberExpression): string | undefined {
  if (!computed) return property.type === 'Identifier' ? property.name : undefined
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : undefined
}

/** The name of a member of an object or a class, if it is known. */
export function keyOf(member: Node): string | undefined {
  if (
    member.type !== 'Property' &&
    member.type !== 'MethodDefinition' &&
    member.type !== 'PropertyDefinition'
  )
    return undefined
  const { key, computed } = member
  if (key.type === 'Literal') return String(key.value)
  return key.type === 'Identifier' && !computed ? key.name : undefined
}

/** The member of an object with a name. */
export function propertyOf(object: Node, name: string): ESTree.Property | undefined {
  if (object.type !== 'ObjectExpression') return undefined
  return object.properties.find(
    (member): member is ESTree.Property => member.type === 'Property' && keyOf(member) === name,
  )
}
