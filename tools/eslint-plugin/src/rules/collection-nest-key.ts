import type { Rule } from 'eslint'
import { ancestorsOf, keyOf, memberOf, propertyOf, unwrap } from '../ast.js'
import type { Call, Node } from '../ast.js'
import { isEntity } from '../entities.js'
import type { ClassNode } from '../entities.js'
import { initOf, selfsameName, variableOf } from '../names.js'
import { defineRule } from '../rule.js'

/** Members of a Collection that are schemas of mutations. */
const changes = /^(push|unshift|assign|remove|move)$/

/** Reports Collections in a field of a record that a mutation adds to, though no mutation can reach them. */
export const collectionNestKey = defineRule({
  name: 'collection-nest-key',
  description: 'Set a nestKey on a Collection in a field of an Entity if mutations change it.',
  type: 'problem',
  messages: {
    missing:
      'No mutation changes this list: a Collection in a field of a record needs a nestKey. Add { nestKey: (record) => ({ … }) }, with the name of the field of a member that holds the key of the record.',
  },
  create(context) {
    const nested: {
      collection: Call
      field: string
      entity: string | undefined
      variable: Node | undefined
    }[] = []
    const changed = new Set<unknown>()
    return {
      NewExpression(node: Call) {
        if (!isCollection(context, node) || hasNestKey(node)) return
        const place = fieldOf(context, node)
        if (place !== undefined) nested.push({ collection: node, ...place })
      },
      MemberExpression(node: Extract<Node, { type: 'MemberExpression' }>) {
        if (!changes.test(memberOf(node) ?? '') || isCalled(node)) return
        const list = unwrap(node.object)
        // todos.push
        if (list.type === 'Identifier') changed.add(variableOf(context, list))
        // User.schema.todos.push
        if (list.type !== 'MemberExpression') return
        const schema = unwrap(list.object)
        if (schema.type === 'MemberExpression' && memberOf(schema) === 'schema')
          changed.add(`${context.sourceCode.getText(schema.object)}.${memberOf(list)}`)
      },
      'Program:exit'() {
        for (const { collection, field, entity, variable } of nested) {
          const isChanged = variable
            ? changed.has(variableOf(context, variable)) || changed.has(`${entity}.${field}`)
            : changed.has(`${entity}.${field}`)
          if (isChanged) context.report({ node: collection, messageId: 'missing' })
        }
      },
    }
  },
})

/** `todos.push(1)` is a list, `schema: todos.push` a Collection. */
const isCalled = (node: Node) => node.parent?.type === 'CallExpression' && node.parent.callee === node

/** `new schema.Collection(…)` */
function isCollection(context: Rule.RuleContext, { callee }: Call): boolean {
  return (
    callee.type === 'MemberExpression' &&
    memberOf(callee) === 'Collection' &&
    selfsameName(context, callee.object) === 'schema'
  )
}

function hasNestKey({ arguments: [, options] }: Call): boolean {
  if (!options) return false
  return options.type !== 'ObjectExpression' || propertyOf(options, 'nestKey') !== undefined
}

/** The field of an Entity that a Collection is the schema of, itself or by the name of a variable. */
function fieldOf(
  context: Rule.RuleContext,
  node: Node,
): { field: string; entity: string | undefined; variable: Node | undefined } | undefined {
  const { parent } = node
  if (parent?.type === 'Property' && parent.value === node) {
    const entity = entityAround(context, parent)
    return entity && { field: keyOf(parent) ?? '', entity: entity.id?.name, variable: undefined }
  }
  if (parent?.type !== 'VariableDeclarator' || parent.id.type !== 'Identifier') return undefined
  if (initOf(context, parent.id) !== node) return undefined
  for (const { identifier } of variableOf(context, parent.id)?.references ?? []) {
    const property = (identifier as Node).parent
    if (property?.type !== 'Property' || property.value !== identifier) continue
    const entity = entityAround(context, property)
    if (entity) return { field: keyOf(property) ?? '', entity: entity.id?.name, variable: parent.id }
  }
  return undefined
}

/** The Entity whose `static schema` an entry stands in itself, not in a list or an object in it. */
function entityAround(context: Rule.RuleContext, property: Node): ClassNode | undefined {
  const [object, member, , node] = ancestorsOf(property)
  if (object?.type !== 'ObjectExpression' || member?.type !== 'PropertyDefinition') return undefined
  if (!member.static || keyOf(member) !== 'schema') return undefined
  const isClass = node?.type === 'ClassDeclaration' || node?.type === 'ClassExpression'
  return isClass && isEntity(context, node) ? node : undefined
}
