import { propertyOf } from '../ast.js'
import { addMember, baseOf, classOf, isAssigned, lineOf, staticOf, staticPrefix } from '../entities.js'
import type { ClassNode } from '../entities.js'
import { defineRule } from '../rule.js'

/** Reports Entity classes without a name in the cache. */
export const entityKey = defineRule({
  name: 'entity-key',
  description: 'Declare a static key in each Entity, because minifiers change the name of its class.',
  type: 'problem',
  fixable: 'code',
  messages: {
    missing:
      "{{name}} has no key. Its default is the name of the class, which minifiers change. Add {{prefix}} key = '{{name}}'.",
  },
  create(context) {
    const check = (node: ClassNode) => {
      const base = baseOf(context, node)
      if (base === undefined || node.abstract) return
      const options = base.type === 'CallExpression' ? base.arguments[1] : undefined
      if (options && (options.type !== 'ObjectExpression' || propertyOf(options, 'key'))) return
      // A mixed-in class may have a key of its own.
      const mixed = base.type === 'CallExpression' ? base.arguments[0] : undefined
      if (mixed && (!classOf(context, mixed) || staticOf(classOf(context, mixed) ?? node, 'key'))) return
      const line = [...lineOf(context, node)]
      if (line.some((ancestor) => staticOf(ancestor, 'key') || isAssigned(context, ancestor, 'key'))) return
      // The first class that is used gives its name to those that extend it.
      if (line.slice(1).some((ancestor) => !ancestor.abstract)) return
      const name = node.id?.name
      const prefix = staticPrefix(context, node)
      const fix = name === undefined ? undefined : addMember(context, node, `${prefix} key = '${name}'`)
      context.report({
        node: node.id ?? node,
        messageId: 'missing',
        data: { name: name ?? 'This Entity', prefix },
        ...(fix && { fix }),
      })
    }
    return { ClassDeclaration: check, ClassExpression: check }
  },
})
