import type { ASTNode, ASTPath, JSXAttribute, JSXElement, JSXOpeningElement } from 'jscodeshift'
import type { Imports } from './imports.js'
import { nameOf, nameOfNode } from './nodes.js'
import type { Script } from './script.js'

const errorBoundaries = new Set(['ErrorBoundary', 'NetworkErrorBoundary'])

/** Former names of the prop `errorFallback`. */
const fallbackProps = new Set(['errorComponent', 'fallbackComponent'])

/**
 * Makes an `AsyncBoundary` of each boundary for errors, and renames what the boundaries pass to their fallbacks.
 *
 * @param application - whether it also has boundaries of `react-error-boundary`, whose fallbacks look the same, and whether it has
 *   components of Next
 */
export function rewriteBoundaries(
  script: Script,
  imports: Imports,
  application: { readonly hasOthers: boolean; readonly hasNext: boolean },
): void {
  const { j, root } = script
  // A server component cannot pass a function on.
  const mayBeOfServer = application.hasNext && !script.isOfClient
  root.find(j.JSXElement).forEach((path) => {
    const { openingElement: opening, closingElement: closing } = path.node
    const name = imports.importedAs(nameOfNode(opening.name as ASTNode))
    if (name === undefined) return
    if (name !== 'AsyncBoundary' && !errorBoundaries.has(name)) return
    renameFallback(script, opening)
    if (attributeOf(opening, 'errorFallback') === undefined && !hasSpread(opening))
      if (mayBeOfServer)
        script.remark(
          opening,
          `${name} showed the text of an error without a component for it: pass errorFallback, a component of a file with 'use client', which is given error and reset; without it errors go to the boundary around this one`,
        )
      else showText(script, opening)
    if (name === 'AsyncBoundary') return
    const now = imports.need({ source: imports.binding, name: 'AsyncBoundary' })
    for (const one of [opening, closing]) if (one) one.name = j.jsxIdentifier(now)
    giveFallback(script, path)
  })
  renameReset(script, application.hasOthers)
  widenErrors(script, imports)
}

/** Gives a boundary a component that shows what one without a component showed: the text of the error. */
function showText(script: Script, opening: JSXOpeningElement): void {
  const { j, root } = script
  const name = 'ErrorText'
  const props = script.isTypeScript ? '{ error }: { error: Error }' : '{ error }'
  opening.attributes = [...(opening.attributes ?? []), script.attribute(`errorFallback={${name}}`)]
  if (script.isDeclared(name) || root.find(j.VariableDeclarator, { id: { name } }).length > 0) return
  const [last] = root.find(j.ImportDeclaration).paths().slice(-1)
  last?.insertAfter(script.statement(`const ${name} = (${props}) => <pre>{error.message}</pre>`, 2))
}

function renameFallback(script: Script, opening: JSXOpeningElement): void {
  const { j } = script
  for (const attribute of opening.attributes ?? [])
    if (attribute.type === 'JSXAttribute' && fallbackProps.has(nameOfNode(attribute.name as ASTNode) ?? ''))
      attribute.name = j.jsxIdentifier('errorFallback')
}

function hasSpread({ attributes }: JSXOpeningElement): boolean {
  return attributes?.some(({ type }) => type === 'JSXSpreadAttribute') === true
}

function attributeOf({ attributes }: JSXOpeningElement, name: string): JSXAttribute | undefined {
  return attributes?.find(
    (one): one is JSXAttribute => one.type === 'JSXAttribute' && nameOfNode(one.name as ASTNode) === name,
  )
}

/** An `AsyncBoundary` suspends inside, so it takes the fallback of the `Suspense` that was around. */
function giveFallback(script: Script, path: ASTPath<JSXElement>): void {
  const { openingElement: opening, children } = path.node
  const inner = children?.filter(({ type }) => type !== 'JSXText') ?? []
  const isAround = inner.length > 0 && inner.every((one) => one.type === 'JSXElement' && isSuspense(one))
  if (isAround || attributeOf(opening, 'fallback') !== undefined) return
  for (let at = path.parent as ASTPath | null; at; at = at.parent as ASTPath | null) {
    if (at.node.type !== 'JSXElement' || !isSuspense(at.node)) continue
    const fallback = attributeOf(at.node.openingElement, 'fallback')
    if (fallback !== undefined) opening.attributes = [...(opening.attributes ?? []), fallback]
    return
  }
  script.remark(
    opening,
    'AsyncBoundary shows nothing while its children wait, unless it has a fallback: pass the one of the Suspense around it',
  )
}

function isSuspense({ openingElement: { name } }: JSXElement): boolean {
  const last = name.type === 'JSXMemberExpression' ? name.property : name
  return /^(Suspense|AsyncBoundary)$/.test(nameOfNode(last as ASTNode) ?? '')
}

/** Renames the prop `resetErrorBoundary` of fallbacks to `reset`. */
function renameReset(script: Script, hasOthers: boolean): void {
  const { j, root } = script
  const name = 'resetErrorBoundary'
  if (hasOthers) {
    root.find(j.Identifier, { name }).forEach(({ node }) => {
      script.remark(
        node,
        'a fallback of AsyncBoundary is given reset, one of react-error-boundary resetErrorBoundary: see which one this is',
      )
    })
    return
  }
  root.find(j.ObjectPattern).forEach(({ node }) => {
    for (const property of node.properties)
      if (property.type === 'ObjectProperty' && nameOf(property) === name) {
        property.key = j.identifier('reset')
        property.shorthand = false
      }
  })
  root.find(j.TSPropertySignature, { key: { name } }).forEach(({ node }) => {
    node.key = j.identifier('reset')
  })
  root.find(j.MemberExpression, { property: { name } }).forEach(({ node }) => {
    node.property = j.identifier('reset')
  })
}

/** A fallback is given any `Error`: `error: NetworkError` becomes `error: Error & Partial<NetworkError>`. */
function widenErrors(script: Script, imports: Imports): void {
  const { j, root } = script
  root.find(j.TSPropertySignature, { key: { name: 'error' } }).forEach(({ node }) => {
    const type = node.typeAnnotation?.typeAnnotation
    if (type?.type !== 'TSTypeReference' || imports.importedAs(nameOfNode(type.typeName)) !== 'NetworkError')
      return
    node.typeAnnotation = j.tsTypeAnnotation(
      j.tsIntersectionType([
        j.tsTypeReference(j.identifier('Error')),
        j.tsTypeReference(j.identifier('Partial'), j.tsTypeParameterInstantiation([type])),
      ]),
    )
  })
}
