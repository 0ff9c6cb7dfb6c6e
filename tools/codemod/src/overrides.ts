import type { ASTNode, ASTPath } from 'jscodeshift'
import type { Imports } from './imports.js'
import type { Kinds } from './kinds.js'
import { nameOf, nameOfNode } from './nodes.js'
import type { Script } from './script.js'

/** Statics that are given fields of records. */
const ofFields = new Set(['merge', 'process', 'validate'])

/**
 * Types what classes of records override: `pk()` is marked as an override, because other generations had an abstract one, and
 * `static process(value: Todo)` is given the fields of a todo, which is no instance yet.
 *
 * @param marks - whether the application marks overrides
 */
export function rewriteOverrides(script: Script, imports: Imports, kinds: Kinds, marks: boolean): void {
  const { j, root } = script
  if (!script.isTypeScript) return
  root.find(j.ClassDeclaration).forEach((path: ASTPath) => {
    if (kinds.of(script, path) !== 'record class') return
    const members = path.get('body', 'body') as ASTPath
    members.each((member: ASTPath) => {
      const { node } = member as { node: ASTNode }
      if (node.type !== 'ClassMethod') return
      if (marks && nameOf(node) === 'pk' && node.static !== true) Object.assign(node, { override: true })
      if (!ofFields.has(nameOf(node) ?? '') || node.static !== true) return
      for (const at of node.params.keys()) {
        const type = member.get('params', at, 'typeAnnotation', 'typeAnnotation') as ASTPath
        if (type.node?.type !== 'TSTypeReference') continue
        const name = type.get('typeName') as ASTPath
        if (kinds.of(script, name) !== 'record class') continue
        const fields = imports.need({ source: '@selfsame/core', name: 'FieldsOf' }, undefined, true)
        type.replace(script.type(`${fields}<${nameOfNode(name.node)}>`))
      }
    })
  })
}
