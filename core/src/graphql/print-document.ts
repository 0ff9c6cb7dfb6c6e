import { development } from '#development'
import * as errors from '../errors.js'
import { kindOf } from '../errors.js'

/** A document node, as `graphql`, `graphql-tag` and code generators make it. */
export interface DocumentNode {
  readonly kind: string
  readonly definitions: readonly { readonly kind: string }[]
}

/**
 * Prints the operations and fragments of a document. For other definitions, use `print` of `graphql`.
 *
 * @throws {SelfsameError} in development `definition-invalid` for a node of another kind
 */
export function printDocument(document: DocumentNode): string {
  return document.definitions.map((definition) => print(definition)).join('\n')
}

/** Any node of a document. Its kind decides which of these fields it has. */
interface Node {
  readonly kind: string
  readonly operation?: string
  readonly name?: { readonly value: string } | undefined
  readonly alias?: { readonly value: string } | undefined
  readonly variableDefinitions?: readonly Node[] | undefined
  readonly variable?: Node
  readonly type?: Node
  readonly defaultValue?: Node | undefined
  readonly typeCondition?: Node | undefined
  readonly arguments?: readonly Node[] | undefined
  readonly directives?: readonly Node[] | undefined
  readonly selectionSet?: { readonly selections: readonly Node[] } | undefined
  readonly fields?: readonly Node[]
  readonly values?: readonly Node[]
  readonly value?: unknown
}

function print(node: Node | undefined): string {
  const name = node?.name?.value ?? ''
  switch (node?.kind) {
    case 'OperationDefinition':
      return `${node.operation} ${name}${printList('(', node.variableDefinitions, ')')}${printRest(node)}`
    case 'FragmentDefinition':
      return `fragment ${name} on ${print(node.typeCondition)}${printRest(node)}`
    case 'VariableDefinition': {
      const preset = node.defaultValue === undefined ? '' : ` = ${print(node.defaultValue)}`
      return `${print(node.variable)}: ${print(node.type)}${preset}${printRest(node)}`
    }
    case 'NamedType':
      return name
    case 'ListType':
      return `[${print(node.type)}]`
    case 'NonNullType':
      return `${print(node.type)}!`
    case 'Field': {
      const alias = node.alias === undefined ? '' : `${node.alias.value}: `
      return `${alias}${name}${printList('(', node.arguments, ')')}${printRest(node)}`
    }
    case 'FragmentSpread':
      return `...${name}${printRest(node)}`
    case 'InlineFragment': {
      const condition = node.typeCondition === undefined ? '' : ` on ${print(node.typeCondition)}`
      return `...${condition}${printRest(node)}`
    }
    case 'Directive':
      return ` @${name}${printList('(', node.arguments, ')')}`
    case 'Argument':
    case 'ObjectField':
      return `${name}: ${print(node.value as Node)}`
    case 'Variable':
      return `$${name}`
    case 'StringValue':
      // JSON and GraphQL escape the same characters in the same way.
      return JSON.stringify(node.value)
    case 'IntValue':
    case 'FloatValue':
    case 'EnumValue':
    case 'BooleanValue':
      return String(node.value)
    case 'NullValue':
      return 'null'
    case 'ListValue':
      return `[${(node.values ?? []).map(print).join(', ')}]`
    case 'ObjectValue':
      return `{${(node.fields ?? []).map(print).join(', ')}}`
    default:
      if (!development) return ''
      throw errors.definitionInvalid('A document', [
        `has a node of the kind ${node === undefined ? kindOf(node) : node.kind}, which is not a part of a query or a mutation.`,
        'Pass the whole document, or set the option `print`.',
      ])
  }
}

/** Prints the end of a node: its directives and its selection. */
function printRest({ directives = [], selectionSet }: Node): string {
  const selections =
    selectionSet === undefined ? '' : ` {\n${selectionSet.selections.map(print).join('\n')}\n}`
  return `${directives.map(print).join('')}${selections}`
}

function printList(open: string, nodes: readonly Node[] | undefined, close: string): string {
  return nodes === undefined || nodes.length === 0 ? '' : `${open}${nodes.map(print).join(', ')}${close}`
}
