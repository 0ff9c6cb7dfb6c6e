import { development } from '#development'
import * as errors from '../errors.js'
import { printDocument } from './print-document.js'
import type { DocumentNode } from './print-document.js'

/** Prints document nodes of the user's own type, such as that of `graphql`. */
export type DocumentPrinter = (document: never) => string

/** A document as an object of text, as code generators make it in their string mode. */
export interface TypedText {
  toString(): string
  trim(): string
}

/** A document that does not tell the types of its variables. */
export type UntypedDocument = string | TypedText | DocumentNode

/** What `query` and `mutation` take: text, a function of the variables that returns it, or a document node. */
export type GQLDocument = UntypedDocument | ((variables: never) => string)

/**
 * The variables that a document takes; `unknown` where it does not say.
 *
 * `VariablesOf<(v: { id: string }) => string>` is `{ id: string }`, and so is that of a
 * `TypedDocumentNode<Result, { id: string }>`.
 */
export type VariablesOf<Document> = Document extends (...args: infer Args) => string
  ? Args extends readonly []
    ? Record<never, never>
    : Args[0]
  : TypesOf<Document> extends (variables: infer Variables) => unknown
    ? Variables
    : unknown

/** The data that a document selects; `unknown` where it does not say. */
export type ResultOf<Document> =
  TypesOf<Document> extends (variables: never) => infer Result ? Result : unknown

/** What `TypedDocumentNode` and its kin carry, for compilers only. */
type TypesOf<Document> = Document extends { readonly __apiType?: infer Types }
  ? '__apiType' extends keyof Document
    ? NonNullable<Types>
    : undefined
  : undefined

/** What the text of a document says. */
export interface ParsedDocument {
  readonly text: string
  /** Equal for documents that differ in white space, commas and comments only. */
  readonly compact: string
  /** The name of its operation; `undefined` for one without. */
  readonly name: string | undefined
}

/** The text of a document. */
export function textOf(
  document: GQLDocument,
  variables: unknown,
  print: DocumentPrinter = printDocument,
): string {
  if (typeof document === 'string') return document
  // The function declares which variables it takes; the endpoint's types hold every call to them.
  if (typeof document === 'function') return document((variables ?? {}) as never)
  // Text that a node was parsed from may be older than the node, or lack fragments that were added to it.
  return 'definitions' in document ? print(document as never) : document.toString()
}

/**
 * Reads the one operation of a document.
 *
 * @param operation - what it has to be
 * @param where - what was given the document, as messages name it
 * @throws {SelfsameError} `definition-invalid` when it has none, several, or one of another kind
 */
export function parseDocument(text: string, operation: 'query' | 'mutation', where: string): ParsedDocument {
  const tokens = text.match(token)?.filter((found) => !ignored.test(found)) ?? []
  const operations = operationsOf(tokens)
  const [only] = operations
  if (only === undefined) {
    throw errors.definitionInvalid(
      where,
      development && [
        'was given a document without an operation.',
        `Write one, for example \`${operation} Name { … }\`.`,
      ],
    )
  }
  if (operations.length > 1) {
    throw errors.definitionInvalid(
      where,
      development && [
        `was given a document with ${operations.length} operations.`,
        'Give each its own endpoint; they may share fragments.',
      ],
    )
  }
  if (only.kind !== operation) {
    throw errors.definitionInvalid(
      where,
      development && [
        `was given a ${only.kind}.`,
        only.kind === 'subscription'
          ? 'A subscription has more than one answer; open a live connection for it.'
          : `Declare it with ${only.kind}().`,
      ],
    )
  }
  return { text, compact: joinTokens(tokens), name: only.name }
}

/** @see GraphQL specification (October 2021) 2.1.6: lexical tokens; what stands for itself matches last */
const token =
  /"""(?:\\"""|\\(?!""")|[^"\\]|"(?!""))*"""|"(?:\\.|[^"\\\n\r])*"|\.\.\.|[A-Za-z_]\w*|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|#[^\n\r]*|[\s,\uFEFF]+|[^]/g
const ignored = /^(?:#|[\s,\uFEFF])/

interface FoundOperation {
  readonly kind: string
  readonly name: string | undefined
}

function operationsOf(tokens: readonly string[]): FoundOperation[] {
  const found: FoundOperation[] = []
  let depth = 0
  /** Whether a definition has begun whose braces are still to come. */
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

function isOperation(name: string): boolean {
  return name === 'query' || name === 'mutation' || name === 'subscription'
}

/** Tokens with as little between them as keeps them apart. */
function joinTokens(tokens: readonly string[]): string {
  return tokens
    .map((current, index) => (isApart(tokens[index - 1] ?? '', current) ? ` ${current}` : current))
    .join('')
}

function isApart(before: string, after: string): boolean {
  return /[\w"]$/.test(before) && /^[\w".$@-]/.test(after)
}
