import type { ASTNode, ASTPath, CallExpression, VariableDeclarator } from 'jscodeshift'
import type { Imports } from './imports.js'
import { localName } from './modules.js'
import type { Modules } from './modules.js'
import { nameOfNode } from './nodes.js'
import type { Script } from './script.js'

interface Scanned {
  readonly script: Script
  readonly imports: Imports
}

/**
 * Rewrites `useCache(userIndex, { email })` of `const userIndex = new Index(User)` to `useQuery(User, { email })`: a class names its
 * indexes itself, by `static indexes`. An index that is used in another way stays.
 */
export function rewriteIndexes(scripts: readonly Scanned[], modules: Modules): void {
  for (const { script, imports } of scripts) {
    const { j, root } = script
    root.find(j.VariableDeclarator).forEach((path) => {
      const { id, init } = path.node
      const name = nameOfNode(id as ASTNode)
      if (init?.type !== 'NewExpression' || imports.importedAs(nameOfNode(init.callee)) !== 'Index') return
      const record = nameOfNode(init.arguments[0] as ASTNode)
      if (name === undefined || record === undefined) return
      const uses = scripts.map((one) => ({ ...one, ...usesOf(one.script, modules, path, name) }))
      if (uses.some(({ isOther }) => isOther)) return
      for (const { script: user, imports: wanted, calls, local } of uses)
        for (const call of calls) rewrite(user, wanted, call, local ?? name, record)
      const { parent } = path as { parent: ASTPath<{ type: string; declarations: unknown[] }> }
      const statement = parent.parent?.node.type.startsWith('Export') === true ? parent.parent : parent
      if (parent.node.declarations.length === 1) statement.prune()
      else path.prune()
    })
  }
}

/** The calls of `useCache` with an index in a script, and whether there is any other use. */
function usesOf(
  script: Script,
  modules: Modules,
  declared: ASTPath<VariableDeclarator>,
  name: string,
): {
  readonly calls: ASTPath<CallExpression>[]
  readonly isOther: boolean
  readonly local: string | undefined
} {
  const isHere = modules.declaredIn(script).get(name)?.path.node === declared.node
  const imported = modules.importedBy(script).find(({ found }) => found.path.node === declared.node)
  const local = isHere ? name : imported?.local
  if (local === undefined) return { calls: [], isOther: false, local }
  const uses = script.usesOf(local)
  const calls = uses.flatMap(({ node, parent }) => {
    const owner = parent?.node as ASTNode | undefined
    const isCall = owner?.type === 'CallExpression' && owner.arguments[0] === node
    return isCall && nameOfNode(owner.callee) === 'useCache' ? [parent as ASTPath<CallExpression>] : []
  })
  return { calls, isOther: calls.length < uses.length, local }
}

function rewrite(
  script: Script,
  imports: Imports,
  { node }: ASTPath<CallExpression>,
  local: string,
  record: string,
): void {
  const { j, root } = script
  node.callee = j.identifier(imports.need({ source: imports.binding, name: 'useQuery' }))
  node.arguments[0] = j.identifier(record)
  root.find(j.ImportDeclaration).forEach(({ node: { specifiers = [] } }) => {
    const at = specifiers.findIndex((one) => localName(one) === local)
    if (at < 0) return
    if (script.isDeclared(record)) specifiers.splice(at, 1)
    else specifiers[at] = j.importSpecifier(j.identifier(record))
  })
}
