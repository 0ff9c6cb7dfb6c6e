import type { ASTNode } from 'jscodeshift'

/** Returns the name of a member of a class or an object; `undefined` if it is computed. */
export function nameOf(member: ASTNode): string | undefined {
  const { key, computed } = member as { key?: ASTNode; computed?: boolean }
  return key === undefined || computed === true ? undefined : nameOfNode(key)
}

/** Returns the name of an identifier; `undefined` for any other node. */
export function nameOfNode(node: ASTNode): string | undefined {
  return node.type === 'Identifier' || node.type === 'JSXIdentifier' ? String(node.name) : undefined
}
