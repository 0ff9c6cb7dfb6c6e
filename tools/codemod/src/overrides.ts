import type { ASTPath } from 'jscodeshift'
import type { Kinds } from './kinds.js'
import { nameOf } from './nodes.js'
import type { Script } from './script.js'

/** Marks `pk()` of records as an override: other generations had an abstract one, and ours has a default. */
export function markOverrides(script: Script, kinds: Kinds): void {
  const { j, root } = script
  if (!script.isTypeScript) return
  root.find(j.ClassDeclaration).forEach((path: ASTPath) => {
    if (kinds.of(script, path) !== 'record class') return
    const { body } = path.node as { body: { body: object[] } }
    for (const member of body.body as Parameters<typeof nameOf>[0][])
      if (member.type === 'ClassMethod' && nameOf(member) === 'pk' && member.static !== true)
        Object.assign(member, { override: true })
  })
}
