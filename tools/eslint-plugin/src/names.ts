import type { Rule, Scope } from 'eslint'
import type * as ESTree from 'estree'
import { memberOf, nameOf, unwrap } from './ast.js'
import type { Call, Node } from './ast.js'

/** What a name is imported as, and where from: `{ name: 'useSuspense', from: '@selfsame/vue' }`. */
export interface Imported {
  readonly name: string
  readonly from: string
}

export type Framework = 'react' | 'vue' | 'svelte'

/** A call of a hook of Selfsame. */
export interface HookCall {
  readonly name: string
  readonly framework: Framework
}

/** The variable that a name stands for. */
export function variableOf(context: Rule.RuleContext, name: Node): Scope.Variable | undefined {
  if (name.type !== 'Identifier') return undefined
  // In Vue's templates there is no scope: they see the names of the script.
  let scope: Scope.Scope | null = context.sourceCode.getScope(name as Rule.Node)
  for (; scope !== null; scope = scope.upper) {
    const found = scope.set.get(name.name)
    if (found !== undefined) return found
  }
  const [module] = context.sourceCode.scopeManager.globalScope?.childScopes ?? []
  return module?.set.get(name.name)
}

/** What declares a variable, if there is exactly one place. */
export function definitionOf(context: Rule.RuleContext, name: Node): Scope.Definition | undefined {
  const { defs = [] } = variableOf(context, name) ?? {}
  return defs.length === 1 ? defs[0] : undefined
}

/** The expression that a variable is declared with, if that is all that it is ever set to. */
export function initOf(context: Rule.RuleContext, name: Node): Node | undefined {
  const definition = definitionOf(context, name)
  if (definition?.type !== 'Variable' || definition.node.id.type !== 'Identifier') return undefined
  return definition.node.init ? unwrap(definition.node.init) : undefined
}

/** What an expression was imported as: a name, or a member of `import * as selfsame`. */
export function importedAs(context: Rule.RuleContext, expression: Node): Imported | undefined {
  if (expression.type === 'MemberExpression') {
    const namespace = importOf(context, expression.object)
    const name = memberOf(expression)
    return namespace?.name === '*' && name !== undefined ? { name, from: namespace.from } : undefined
  }
  return importOf(context, expression)
}

/** The name by which a function is called, wherever it is from: `useState`, and of `React.useState()` too. */
export const calledName = (context: Rule.RuleContext, callee: Node) =>
  importedAs(context, callee)?.name ?? nameOf(callee) ?? ''

function importOf(context: Rule.RuleContext, name: Node): Imported | undefined {
  const definition = definitionOf(context, name)
  if (definition?.type !== 'ImportBinding') return undefined
  const { node, parent } = definition as {
    node: ESTree.ImportSpecifier | ESTree.ImportDefaultSpecifier | ESTree.ImportNamespaceSpecifier
    parent: ESTree.ImportDeclaration
  }
  const from = String(parent.source.value)
  if (node.type === 'ImportNamespaceSpecifier') return { name: '*', from }
  if (node.type === 'ImportDefaultSpecifier') return { name: 'default', from }
  return {
    name: node.imported.type === 'Identifier' ? node.imported.name : String(node.imported.value),
    from,
  }
}

/** The name of Selfsame that an expression stands for, whichever package it is imported from. */
export function selfsameName(context: Rule.RuleContext, expression: Node): string | undefined {
  const imported = importedAs(context, expression)
  return imported !== undefined && imported.from.startsWith('@selfsame/') ? imported.name : undefined
}

/** The hook of Selfsame that an expression calls, awaited or not. */
export function hookCall(context: Rule.RuleContext, expression: Node): HookCall | undefined {
  const call = unwrap(expression)
  if (call.type === 'AwaitExpression') return hookCall(context, call.argument)
  if (call.type !== 'CallExpression') return undefined
  const { name, from } = importedAs(context, call.callee) ?? { name: '', from: '' }
  const framework = /^@selfsame\/(react|vue|svelte)(\/|$)/.exec(from)?.[1] as Framework | undefined
  return framework !== undefined && /^use[A-Z]/.test(name) ? { name, framework } : undefined
}

/** Whether an expression is a Controller, as far as this file tells: made or asked for here, or imported by that name. */
function isController(context: Rule.RuleContext, expression: Node): boolean {
  const node = unwrap(expression)
  if (node.type !== 'Identifier') return isControllerMade(context, node)
  const definition = definitionOf(context, node)
  if (definition?.type === 'ImportBinding') return /controller$/i.test(node.name)
  const init = initOf(context, node)
  return init !== undefined && isControllerMade(context, init)
}

function isControllerMade(context: Rule.RuleContext, node: Node): boolean {
  if (node.type === 'NewExpression') return selfsameName(context, node.callee) === 'Controller'
  return hookCall(context, node)?.name === 'useController'
}

/** The method of a Controller that is called: `fetch` of `controller.fetch(…)`. */
export function controllerMethod(context: Rule.RuleContext, call: Call): string | undefined {
  const callee = unwrap(call.callee)
  if (call.type !== 'CallExpression' || callee.type !== 'MemberExpression') return undefined
  return isController(context, callee.object) ? memberOf(callee) : undefined
}
