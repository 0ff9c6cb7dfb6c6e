import type { Rule, Scope } from 'eslint'
import { endOf, keyOf, memberOf, nameOf, startOf, unwrap } from '../ast.js'
import type { Field, Node, TypeNode } from '../ast.js'
import { addMember, isAssigned, isEntity, lineOf, staticOf, staticPrefix } from '../entities.js'
import type { ClassNode } from '../entities.js'
import { defineRule } from '../rule.js'

/** Classes of the language that a payload of JSON has as text or numbers. */
const converted = /^(Date|URL)$/

/** Reports fields of an Entity whose type or default says what only its schema can make true. */
export const fieldSchema = defineRule({
  name: 'field-schema',
  description: 'Declare a schema for a field of an Entity if it is a record or a Date.',
  type: 'problem',
  fixable: 'code',
  messages: {
    record:
      'The field "{{field}}" is a {{type}}, but its schema does not say so: a response leaves a plain object in it. Add {{entry}} to the schema of {{entity}}.',
    value:
      'The field "{{field}}" is a {{type}}, but its schema does not say so: it stays what the server sent. Add {{entry}} to the schema of {{entity}}.',
  },
  create(context) {
    const check = (node: ClassNode) => {
      if (!isEntity(context, node)) return
      const schema = schemaOf(context, node)
      if (schema === undefined) return
      for (const member of node.body.body) {
        if (member.type !== 'PropertyDefinition' || member.static || member.computed) continue
        const field = keyOf(member)
        if (field === undefined || schema.names.has(field)) continue
        const found = typeOf(context, member as Field)
        if (found === undefined) continue
        const entry = `${field}: ${found.isList ? `[${found.type}]` : found.type}`
        const fix = found.isDeclaredBefore(node) ? addTo(context, node, entry) : undefined
        context.report({
          node: member as Rule.Node,
          messageId: converted.test(found.type) ? 'value' : 'record',
          data: { field, type: found.type, entry, entity: node.id?.name ?? 'the class' },
          ...(fix && { fix }),
        })
      }
    }
    return { ClassDeclaration: check, ClassExpression: check }
  },
})

/** The fields that the schemas of a class and of its ancestors name; `undefined` if that cannot be told. */
function schemaOf(context: Rule.RuleContext, node: ClassNode): { names: Set<string> } | undefined {
  const names = new Set<string>()
  for (const ancestor of lineOf(context, node)) {
    // They make of the payload whatever they like.
    if (staticOf(ancestor, 'process') || staticOf(ancestor, 'fromJS')) return undefined
    if (isAssigned(context, ancestor, 'schema')) return undefined
    const member = staticOf(ancestor, 'schema')
    if (member === undefined) continue
    const value = member.value ? unwrap(member.value) : undefined
    if (value?.type !== 'ObjectExpression') return undefined
    for (const property of value.properties) {
      if (property.type === 'SpreadElement') {
        const text = context.sourceCode.getText(property.argument)
        // The schema of the ancestor is looked at anyway.
        if (!/^(super|\w+)\.schema$/.test(text)) return undefined
        continue
      }
      const name = keyOf(property)
      if (name === undefined) return undefined
      names.add(name)
    }
  }
  return { names }
}

interface FieldType {
  readonly type: string
  readonly isList: boolean
  /** Whether the schema of a class can name it: it is no type alone, and no class that is declared further down. */
  isDeclaredBefore(node: ClassNode): boolean
}

function typeOf(context: Rule.RuleContext, field: Field): FieldType | undefined {
  const annotation = withoutNothing(field.typeAnnotation?.typeAnnotation)
  const element = annotation && elementOf(annotation)
  const init = field.value ? unwrap(field.value) : undefined
  const type = annotation ? nameOfType(element ?? annotation) : init && nameOfNew(init)
  if (type === undefined) return undefined
  const isList = element !== undefined
  const variable = variableNamed(context.sourceCode.getScope(field as Rule.Node), type)
  // A Date of the language is declared nowhere.
  if (converted.test(type))
    return variable?.defs.length ? undefined : { type, isList, isDeclaredBefore: () => true }
  const [definition, ...others] = variable?.defs ?? []
  if (definition?.type !== 'ClassName' || others.length > 0) return undefined
  const found = definition.node as ClassNode
  if (found.abstract || !isEntity(context, found)) return undefined
  return { type, isList, isDeclaredBefore: (node) => endOf(found) <= startOf(node) }
}

function variableNamed(from: Scope.Scope, name: string): Scope.Variable | undefined {
  for (let scope: Scope.Scope | null = from; scope !== null; scope = scope.upper) {
    const found = scope.set.get(name)
    if (found !== undefined) return found
  }
  return undefined
}

/** The class of `new User()` and of `User.fromJS()`. */
function nameOfNew(init: Node): string | undefined {
  if (init.type === 'NewExpression') return nameOf(init.callee)
  if (init.type !== 'CallExpression' || init.callee.type !== 'MemberExpression') return undefined
  return memberOf(init.callee) === 'fromJS' ? nameOf(init.callee.object) : undefined
}

/** A type without `null` and `undefined`; `undefined` if several types are left. */
function withoutNothing(type: TypeNode | undefined): TypeNode | undefined {
  if (type?.type !== 'TSUnionType') return type
  const some = type.types?.filter((member) => !/^TS(Null|Undefined)Keyword$/.test(member.type)) ?? []
  return some.length === 1 ? some[0] : { type: 'TSUnionType' }
}

/** The name of a type that is one class: `User`, `User | null`. */
const nameOfType = ({ type, typeName }: TypeNode) => (type === 'TSTypeReference' ? typeName?.name : undefined)

/** The type of the members of `User[]`, `readonly User[]`, `Array<User>`. */
function elementOf(type: TypeNode): TypeNode | undefined {
  if (type.type === 'TSArrayType') return type.elementType
  if (type.type === 'TSTypeOperator') return type.typeAnnotation && elementOf(type.typeAnnotation)
  const isList = type.type === 'TSTypeReference' && /^(Readonly)?Array$/.test(type.typeName?.name ?? '')
  return isList ? type.typeArguments?.params[0] : undefined
}

/** Adds an entry to the schema of a class, or a schema. */
function addTo(context: Rule.RuleContext, node: ClassNode, entry: string): Rule.ReportFixer | undefined {
  const own = staticOf(node, 'schema')
  const value = own?.value ? unwrap(own.value) : undefined
  if (value?.type === 'ObjectExpression') {
    const last = value.properties.at(-1)
    if (last !== undefined) return (fixer) => fixer.insertTextAfter(last, `, ${entry}`)
    return (fixer) => fixer.replaceText(value, `{ ${entry} }`)
  }
  const hasInherited = [...lineOf(context, node)].slice(1).some((ancestor) => staticOf(ancestor, 'schema'))
  const inherited =
    hasInherited && node.superClass ? `...${context.sourceCode.getText(node.superClass)}.schema, ` : ''
  return addMember(context, node, `${staticPrefix(context, node)} schema = { ${inherited}${entry} }`)
}
