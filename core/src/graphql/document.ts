import { development } from '#development'
import * as errors from '../errors.js'
import { printDocument } from './print-document.js'
import type { DocumentNode } from './print-document.js'

/** Prints document nodes, like `print` of `graphql`. */
export type DocumentPrinter = (document: never) => string

/** A document as a string object, as code generators make it in their string mode. */
export interface TypedText {
  toString(): string
  trim(): string
}

/** A document without types for its variables. */
export type UntypedDocument = string | TypedText | DocumentNode

/** A document for `query` and `mutation`: text, a function from the variables to text, or a document node. */
export type GQLDocument = UntypedDocument | ((variables: never) => string)

/**
 * The type of the variables of a document; `unknown` if the document does not declare it.
 *
 * `VariablesOf<(v: { id: string }) => string>` is `{ id: string }`, as is that of a
 * `TypedDocumentNode<Result, { id: string }>`.
 */
export type VariablesOf<Document> = Document extends (...args: infer Args) => string
  ? Args extends readonly []
    ? Record<never, never>
    : Args[0]
  : TypesOf<Document> extends (variables: infer Variables) => unknown
    ? Variables
    : unknown

/** The type of the data of a document; `unknown` if the document does not declare it. */
export type ResultOf<Document> =
  TypesOf<Document> extends (variables: never) => infer Result ? Result : unknown

/** The types that a `TypedDocumentNode` carries, for compilers only. */
type TypesOf<Document> = Document extends { readonly __apiType?: infer Types }
  ? '__apiType' extends keyof Document
    ? NonNullable<Types>
    : undefined
  : undefined

export type OperationKind = 'query' | 'mutation' | 'subscription'

/** A parsed document. */
export interface ParsedDocument {
  readonly text: string
  /** The text without white space, commas and comments. */
  readonly compact: string
  /** The name of its operation; `undefined` without one. */
  readonly name: string | undefined
}

/** Returns the text of a document. */
export function textOf(
  document: GQLDocument,
  variables: unknown,
  print: DocumentPrinter = printDocument,
): string {
  if (typeof document === 'string') return document
  // The types of the endpoint check the variables of each call.
  if (typeof document === 'function') return document((variables ?? {}) as never)
  // The source text of a node may be older than the node, or lack fragments that were added later.
  return 'definitions' in document ? print(document as never) : document.toString()
}

/**
 * Parses a document with one operation.
 *
 * @param operation - the kind that the operation must have
 * @param where - the call that received the document, for messages
 * @throws {SelfsameError} in development `definition-invalid` for no operation, several operations, or one of another kind
 */
export function parseDocument(text: string, operation: OperationKind, where: string): ParsedDocument {
  const tokens = text.match(documentToken)?.filter((found) => !ignored.test(found)) ?? []
  const operations = operationsOf(tokens)
  const mistake = development && mistakeIn(operations, operation)
  if (mistake) throw errors.definitionInvalid(where, mistake)
  return { text, compact: joinTokens(tokens), name: operations[0]?.name }
}

function mistakeIn(
  found: readonly FoundOperation[],
  operation: OperationKind,
): errors.Explanation | undefined {
  const [only] = found
  if (only === undefined)
    return [
      'received a document without an operation.',
      `Write one, for example \`${operation} Name { … }\`.`,
    ]
  if (found.length > 1)
    return [
      `received a document with ${found.length} operations.`,
      'Make one endpoint for each operation. They may share fragments.',
    ]
  if (only.kind === operation) return undefined
  return [
    `received a ${only.kind}.`,
    only.kind === 'subscription'
      ? 'Pass it to stream() of graphqlSubscriptions, and the stream to the query that it keeps fresh.'
      : `Declare it with ${only.kind}().`,
  ]
}

/** @see GraphQL specification (October 2021) 2.1.6: lexical tokens; punctuators match last */
const documentToken =
  /"""(?:\\"""|\\(?!""")|[^"\\]|"(?!""))*"""|"(?:\\.|[^"\\\n\r])*"|\.\.\.|[A-Za-z_]\w*|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|#[^\n\r]*|[\s,\uFEFF]+|[^]/g
const ignored = /^(?:#|[\s,\uFEFF])/

interface FoundOperation {
  readonly kind: OperationKind
  readonly name: string | undefined
}

function operationsOf(tokens: readonly string[]): FoundOperation[] {
  const found: FoundOperation[] = []
  let depth = 0
  /** `true` after the beginning of a definition, before its braces. */
  let isInside = false
  for (const [index, current] of tokens.entries()) {
    if (depth === 0 && !isInside) {
      const next = tokens[index + 1]
      if (current === '{') found.push({ kind: 'query', name: undefined })
      else if (isOperation(current))
        found.push({ kind: current, name: /^\w/.test(next ?? '') ? next : undefined })
      isInside = true
    }
    if (/^[{([]$/.test(current)) depth++
    else if (/^[})\]]$/.test(current)) depth--
    if (depth === 0 && current === '}') isInside = false
  }
  return found
}

function isOperation(name: string): name is OperationKind {
  return name === 'query' || name === 'mutation' || name === 'subscription'
}

/** Joins tokens with a space only where it is needed. */
function joinTokens(tokens: readonly string[]): string {
  return tokens
    .map((current, index) => (isApart(tokens[index - 1] ?? '', current) ? ` ${current}` : current))
    .join('')
}

function isApart(before: string, after: string): boolean {
  return /[\w"]$/.test(before) && /^[\w".$@-]/.test(after)
}
