import type { ASTNode } from 'jscodeshift'
import { nameOfNode } from './nodes.js'
import type { Script } from './script.js'

/** An override of `static fetch` of older generations, taken apart. */
export interface FetchOverride {
  /** What it does before the request: the body of `fetchResponse`, with the names of its params. */
  readonly before: { readonly params: readonly [string, string]; readonly body: string } | undefined
  /** What it makes of the response: the body of `parseResponse`. */
  readonly after: string
}

/**
 * Takes `static async fetch(input, init) { …; const value = await super.fetch(input, init); return … }` apart: what comes before
 * the request and what comes after it are two steps of an endpoint.
 *
 * @returns `undefined` for any other form
 */
export function readFetchOverride(script: Script, member: ASTNode): FetchOverride | undefined {
  const { body, params = [] } = member as { body?: ASTNode; params?: readonly ASTNode[] }
  if (member.type !== 'ClassMethod' || body?.type !== 'BlockStatement') return undefined
  const names = params.map(nameOfParam).filter((name) => name !== 'this')
  const statements = body.body.map((statement) => ({ statement, text: script.sourceOf(statement) }))
  const at = statements.findIndex(({ text }) => call.test(text))
  const found = statements[at]
  const [, given = ''] = call.exec(found?.text ?? '') ?? []
  const isPassedOn = given.replaceAll(/\s/g, '') === names.join(',')
  if (found === undefined || !isStep(found.statement) || !isPassedOn) return undefined

  const before = statements.slice(0, at)
  const parsed = script.isTypeScript
    ? '(super.parseResponse(response) as Promise<any>)'
    : 'super.parseResponse(response)'
  const after = [found.text.replace(call, parsed), ...statements.slice(at + 1).map(({ text }) => text)]
  const declared = before.flatMap(({ statement }) => declaredBy(statement))
  const isApart = [...names, ...declared].every((name) =>
    after.every((text) => !isNamed(text, name.replace('...', ''))),
  )
  const isPlain = [...before.map(({ text }) => text), ...after].every(
    (text) => !/\bthis\b/.test(text) && !/\bsuper\b/.test(text.replace(parsed, '')),
  )
  const [first, second, ...more] = names
  if (!isApart || !isPlain) return undefined
  if (before.length === 0) return { before: undefined, after: joined(after) }
  // Of 4.5, whose params are a method, a URL and a body: an endpoint makes its request of them in another way.
  if (first === undefined || second === undefined || more.length > 0) return undefined
  return {
    before: { params: [first, second], body: joined(before.map(({ text }) => text)) },
    after: joined(after),
  }
}

/** The one call of what is overridden, with nothing but names for arguments. */
const call = /\bsuper\s*\.\s*fetch\(([^()]*)\)/

/** True for a statement that runs once, whatever the response. */
function isStep({ type }: ASTNode): boolean {
  return /^(ReturnStatement|VariableDeclaration|ExpressionStatement)$/.test(type)
}

/** `init` for `init`, for `init: RequestInit` and for `init = {}`; `...args` for rest params; `{}` for a pattern, which is never passed on. */
function nameOfParam(param: ASTNode): string {
  if (param.type === 'AssignmentPattern') return nameOfParam(param.left)
  return param.type === 'RestElement' ? `...${nameOfParam(param.argument)}` : (nameOfNode(param) ?? '{}')
}

function declaredBy(statement: ASTNode): string[] {
  if (statement.type !== 'VariableDeclaration') return []
  return statement.declarations.map((one) =>
    one.type === 'VariableDeclarator' ? (nameOfNode(one.id) ?? '') : '',
  )
}

const isNamed = (text: string, name: string) => new RegExp(`\\b${name}\\b`).test(text)

const joined = (statements: readonly string[]) => statements.join('\n').replaceAll(/\n(?=.)/g, '\n    ')
