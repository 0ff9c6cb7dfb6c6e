import type { ASTNode, ASTPath } from 'jscodeshift'
import type { Imports } from './imports.js'
import { nameOfNode } from './nodes.js'
import type { Script } from './script.js'

/** Types of the 4.5 generation whose type parameter a shape has by its schema now. */
const ofSchemas = new Set(['SchemaDetail', 'SchemaList'])

/** Rewrites types of older generations that are written in another way. */
export function rewriteAnnotations(script: Script, imports: Imports): void {
  const { j, root } = script
  const isOf = (node: ASTNode | undefined, name: string) => {
    const local = node === undefined ? undefined : nameOfNode(node)
    return local !== undefined && imports.importedAs(local) === name
  }
  // `detailShape(): ReadShape<SchemaDetail<Todo>>`: the type of the shape follows from what is returned.
  root.find(j.TSTypeAnnotation).forEach((path) => {
    const type = path.node.typeAnnotation
    if (type.type !== 'TSTypeReference' || !/^\w*Shape$/.test(nameOfNode(type.typeName as ASTNode) ?? ''))
      return
    const names = j(path)
      .find(j.TSTypeReference)
      .nodes()
      .map(({ typeName }) => typeName as ASTNode)
    const isOfSchema = names.some(
      (name) =>
        [...ofSchemas].some((one) => isOf(name, one)) ||
        (name.type === 'TSQualifiedName' && isOf(name.left as ASTNode, 'schemas')),
    )
    if (!isOfSchema) return
    const owner = path.parent?.node as { returnType?: unknown; typeAnnotation?: unknown }
    if (owner.returnType === path.node) owner.returnType = null
    else owner.typeAnnotation = null
  })
  const references = (name: string) =>
    root.find(j.TSTypeReference).filter(({ node }) => isOf(node.typeName as ASTNode, name))
  references('Method').replaceWith(() => j.tsStringKeyword())
  // `EndpointParam<E>` is `ArgsOf<E>[0]`.
  references('EndpointParam').forEach((path: ASTPath) => {
    const { typeParameters } = path.node as { typeParameters?: never }
    const args = imports.need({ source: '@selfsame/core', name: 'ArgsOf' }, undefined, true)
    path.replace(
      j.tsIndexedAccessType(
        j.tsTypeReference(j.identifier(args), typeParameters),
        j.tsLiteralType(j.numericLiteral(0)),
      ),
    )
  })
  // `const getUser: EndpointInstance<…> = new Endpoint(…)`: the type follows from what is made.
  references('EndpointInstance').forEach(({ node, parent }) => {
    const owner = parent?.parent as ASTPath | undefined
    if (parent?.node.type !== 'TSTypeAnnotation' || owner?.parent?.node.type !== 'VariableDeclarator') return
    if (node.typeParameters && owner.parent.node.init) Object.assign(owner.node, { typeAnnotation: null })
  })
  // Ours have no type parameters.
  for (const name of ['EndpointInstance', 'EndpointInterface', 'ReadEndpoint'])
    references(name).forEach(({ node }) => {
      node.typeParameters = null
    })
}
