import type { ASTNode } from 'jscodeshift'
import type { Imports } from './imports.js'
import { nameOfNode } from './nodes.js'
import type { Script } from './script.js'

const ofNext = /^@(data-client|rest-hooks)\/.*\b(next|nextjs)$/

/**
 * Rewrites the provider of an application of Next: `DataProvider` of a `/nextjs` entry becomes `DataRoot`, by which the browser
 * takes over what the server fetched.
 */
export function rewriteNext(script: Script, imports: Imports): void {
  const { j, root } = script
  const found = [...imports.old].find(
    ([, { source, imported }]) => imported === 'DataProvider' && ofNext.test(source),
  )
  if (found === undefined) return
  const [local] = found
  const elements = [
    ...root.find(j.JSXOpeningElement).paths(),
    ...root.find(j.JSXClosingElement).paths(),
  ].filter(({ node }) => nameOfNode(node.name as ASTNode) === local)
  const [first] = elements
  const { isOfClient } = script
  const hasProps = elements.some(({ node }) => 'attributes' in node && (node.attributes?.length ?? 0) > 0)
  if (first === undefined || isOfClient || hasProps || script.hasName('DataRoot')) {
    const [use] = [...elements.map(({ node }) => node), ...script.usesOf(local).map(({ node }) => node)]
    if (use !== undefined)
      script.remark(
        use,
        isOfClient
          ? 'by this DataProvider the browser fetches all again: put DataRoot of createNextData into the root layout, which is a server component (docs/server-rendering.md, Next)'
          : 'DataProvider of Next is DataRoot of createNextData now, whose Root takes options of the Controllers (docs/server-rendering.md, Next)',
      )
    return
  }
  for (const { node } of elements) node.name = j.jsxIdentifier('DataRoot')
  const make = imports.need({ source: '@selfsame/react/next', name: 'createNextData' })
  const declarations = root.find(j.ImportDeclaration).paths()
  declarations.at(-1)?.insertAfter(script.statement(`const { DataRoot } = ${make}()`, 2))
}
