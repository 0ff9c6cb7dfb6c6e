import type { ASTNode, ASTPath, Identifier } from 'jscodeshift'
import type { Imports } from './imports.js'
import type { Kinds } from './kinds.js'
import { nameOfNode } from './nodes.js'
import type { Script } from './script.js'

const readers = new Set([
  'useCache',
  'useDLE',
  'useLive',
  'useQuery',
  'useResource',
  'useStatefulResource',
  'useSuspense',
])

const changing = new Set([
  'copyWithin',
  'fill',
  'pop',
  'push',
  'reverse',
  'shift',
  'sort',
  'splice',
  'unshift',
])

/** Notes code that changes records and lists in place. All readers share them, and development freezes them. */
export function noteChanges(script: Script, imports: Imports, kinds: Kinds): void {
  const { j, root } = script
  if (imports.old.size === 0 && !script.isTypeScript) return
  const note = (target: ASTPath, isWhole: boolean) => {
    const name = nameOfRoot(target, isWhole)
    if (name !== undefined && isShared(script, imports, kinds, name))
      script.remark(
        target.node as ASTNode,
        `${String(name.node.name)} is changed in place, and what readers share is frozen in development: change a copy`,
      )
  }
  root.find(j.AssignmentExpression).forEach((path) => note(path.get('left') as ASTPath, false))
  root.find(j.UpdateExpression).forEach((path) => note(path.get('argument') as ASTPath, false))
  root
    .find(j.UnaryExpression, { operator: 'delete' })
    .forEach((path) => note(path.get('argument') as ASTPath, false))
  root.find(j.CallExpression).forEach((path) => {
    const { callee } = path.node
    if (callee.type !== 'MemberExpression' || !changing.has(nameOfNode(callee.property) ?? '')) return
    note(path.get('callee', 'object') as ASTPath, true)
  })
}

/** `todo` of `todo.tags[0]`; of the name alone only if `isWhole`. */
function nameOfRoot(path: ASTPath, isWhole: boolean): ASTPath<Identifier> | undefined {
  const { node } = path as { node: ASTNode }
  if (node.type === 'Identifier') return isWhole ? (path as ASTPath<Identifier>) : undefined
  if (/^(TSNonNullExpression|TSAsExpression|ParenthesizedExpression)$/.test(node.type))
    return nameOfRoot(path.get('expression') as ASTPath, isWhole)
  return node.type === 'MemberExpression' ? nameOfRoot(path.get('object') as ASTPath, true) : undefined
}

/** True for what a reader gives, and for a param whose type is a class of records, or a list of them. */
function isShared(
  script: Script,
  imports: Imports,
  kinds: Kinds,
  { node, scope }: ASTPath<Identifier>,
): boolean {
  const bindings = (scope?.lookup(node.name)?.getBindings()[node.name] ?? []) as readonly ASTPath[]
  return bindings.some((binding) => {
    const type = binding.get('typeAnnotation', 'typeAnnotation') as ASTPath
    const item = type.node?.type === 'TSArrayType' ? (type.get('elementType') as ASTPath) : type
    if (item.node?.type === 'TSTypeReference')
      return kinds.of(script, item.get('typeName') as ASTPath) === 'record class'
    const declarator = declaratorOf(binding)
    const init = declarator?.init
    return init?.type === 'CallExpression' && readers.has(imports.importedAs(nameOfNode(init.callee)) ?? '')
  })
}

/** The declaration of a variable, also of one that a pattern takes. */
function declaratorOf(binding: ASTPath): { readonly init?: ASTNode | null } | undefined {
  for (let at: ASTPath | null = binding; at; at = at.parent as ASTPath | null) {
    if (at.node.type === 'VariableDeclarator') return at.node as { init?: ASTNode | null }
    if (!/^(Identifier|ObjectPattern|ArrayPattern|ObjectProperty|Property)$/.test(at.node.type))
      return undefined
  }
  return undefined
}
