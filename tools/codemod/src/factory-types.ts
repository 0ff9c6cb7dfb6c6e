import type { ASTNode, ASTPath, TSInterfaceDeclaration, TSTypeReference } from 'jscodeshift'
import type { Imports } from './imports.js'
import { nameOf, nameOfNode } from './nodes.js'
import type { Script } from './script.js'

/** The type parameters of a resource in the place of `O extends ResourceGenerics`. */
const names = ['Path', 'S', 'Search', 'Field'] as const

const ofMember: Readonly<Record<string, (typeof names)[number]>> = {
  path: 'Path',
  schema: 'S',
  searchParams: 'Search',
  paginationField: 'Field',
}

/** Types that take the options themselves. */
const utilities = new Set(['Omit', 'Partial', 'Pick', 'Readonly', 'Required'])

type TypeParameter = ASTNode & {
  name: string | ASTNode
  constraint?: ASTNode | null
  default?: ASTNode | null
}

interface Generic {
  typeParameters?: { params: TypeParameter[] } | null
}

/**
 * Rewrites the types of the application's own factories of resources: `<O extends ResourceGenerics>(options: O & ResourceOptions)` has
 * type parameters for path, schema, search params and page field.
 */
export function rewriteFactoryTypes(script: Script, imports: Imports): void {
  const { j, root } = script
  const isOld = (node: ASTNode | null | undefined, name: string) => {
    const local = node?.type === 'TSTypeReference' ? nameOfNode(node.typeName as ASTNode) : undefined
    return local !== undefined && imports.importedAs(local) === name
  }
  const owners = [
    ...root.find(j.FunctionDeclaration).paths(),
    ...root.find(j.FunctionExpression).paths(),
    ...root.find(j.ArrowFunctionExpression).paths(),
    ...root.find(j.TSInterfaceDeclaration).paths(),
    ...root.find(j.TSTypeAliasDeclaration).paths(),
  ] as ASTPath<ASTNode & Generic>[]
  for (const owner of owners) {
    const params = owner.node.typeParameters?.params ?? []
    const param = params.find(({ constraint }) => isOld(constraint, 'ResourceGenerics'))
    if (param === undefined || owner.node.typeParameters === null || owner.node.typeParameters === undefined)
      continue
    replaceUses(script, imports, owner, nameOfParameter(param))
    const isType = owner.node.type.startsWith('TS')
    const made = typeParametersOf(script, isType, pageFieldIn(script, owner), hasDefault(param))
    owner.node.typeParameters.params = params.flatMap((one) => (one === param ? made : [one]))
    imports.need({ source: '@selfsame/core', name: 'Schema' }, undefined, true)
    imports.need({ source: '@selfsame/core/rest', name: 'AnySearchParams' }, undefined, true)
    if (owner.node.type === 'TSInterfaceDeclaration') declareExtend(script, imports, owner.node)
  }
  // Types that had no type parameters of their own.
  for (const name of ['Resource', 'ResourceOptions'])
    root
      .find(j.TSTypeReference)
      .filter(({ node }) => isOld(node, name) && !hasArguments(node))
      .forEach(({ node }) => {
        const schema = imports.need({ source: '@selfsame/core', name: 'Schema' }, undefined, true)
        node.typeParameters = j.tsTypeParameterInstantiation([
          j.tsStringKeyword(),
          j.tsTypeReference(j.identifier(schema)),
        ])
      })
}

function hasArguments({ typeParameters }: TSTypeReference): boolean {
  return (typeParameters?.params.length ?? 0) > 0
}

function hasDefault(param: TypeParameter): boolean {
  return param.default !== null && param.default !== undefined && param.default.type !== 'TSAnyKeyword'
}

function nameOfParameter({ name }: TypeParameter): string {
  return typeof name === 'string' ? name : (nameOfNode(name) ?? '')
}

/** The `paginationField` that a factory or a type sets, as text. */
function pageFieldIn(script: Script, owner: ASTPath): string {
  const { j } = script
  const given = [
    ...j(owner).find(j.ObjectProperty).nodes(),
    ...j(owner).find(j.TSPropertySignature).nodes(),
  ].find((one) => nameOf(one) === 'paginationField')
  const text = given === undefined ? '' : script.sourceOf(given)
  return /:\s*(['"]\w+['"])/.exec(text)?.[1] ?? script.quoted('cursor')
}

function typeParametersOf(
  script: Script,
  isType: boolean,
  field: string,
  isOptional: boolean,
): TypeParameter[] {
  const isConst = isType ? '' : 'const '
  const [path, schema] = isOptional && isType ? [' = string', ' = Schema'] : ['', '']
  const text = `function made<
  ${isConst}Path extends string${path},
  ${isConst}S extends Schema${schema},
  ${isConst}Search extends object = AnySearchParams,
  ${isConst}Field extends string = ${field},
>() {}`
  return (script.statement(text) as unknown as Required<Generic>).typeParameters?.params ?? []
}

function replaceUses(script: Script, imports: Imports, owner: ASTPath, name: string): void {
  const { j } = script
  const all = () => names.map((one) => j.tsTypeReference(j.identifier(one)))
  const options = () => {
    const local = imports.need({ source: '@selfsame/core/rest', name: 'ResourceOptions' }, undefined, true)
    return j.tsTypeReference(j.identifier(local), j.tsTypeParameterInstantiation(all()))
  }
  const isParam = (node: ASTNode | null | undefined) =>
    node?.type === 'TSTypeReference' && nameOfNode(node.typeName as ASTNode) === name

  j(owner)
    .find(j.TSAsExpression)
    .filter(({ node }) => isParam(node.typeAnnotation))
    .forEach((path) => {
      path.replace(path.node.expression)
    })
  j(owner)
    .find(j.TSTypeReference)
    .filter(({ node }) => imports.importedAs(nameOfNode(node.typeName as ASTNode)) === 'GetEndpoint')
    .forEach(({ node }) => toRestEndpoint(script, imports, node))
  j(owner)
    .find(j.TSIndexedAccessType)
    .filter(({ node }) => isParam(node.objectType))
    .forEach((path) => {
      const { indexType } = path.node
      const member =
        indexType.type === 'TSLiteralType' ? String((indexType.literal as { value?: unknown }).value) : ''
      const now = ofMember[member]
      if (now !== undefined) path.replace(j.tsTypeReference(j.identifier(now)))
    })
  j(owner)
    .find(j.TSTypeReference)
    .filter(({ node }) => node.typeParameters?.params.some(isParam) === true)
    .forEach((path) => {
      const { node } = path
      const outer = nameOfNode(node.typeName as ASTNode) ?? ''
      if (outer === 'Readonly') path.replace(options())
      else if (node.typeParameters)
        node.typeParameters.params = node.typeParameters.params.flatMap((one) =>
          isParam(one) ? (utilities.has(outer) ? [options()] : all()) : [one],
        )
    })
  j(owner)
    .find(j.TSTypeReference)
    .filter(({ node }) => isParam(node))
    .forEach((path) => {
      path.replace(options())
    })
  // `ResourceOptions<…> & ResourceOptions`
  j(owner)
    .find(j.TSIntersectionType)
    .forEach((path) => {
      const rest = path.node.types.filter((one) => !isBareOptions(one, imports))
      const [only] = rest
      if (rest.length === path.node.types.length) return
      if (rest.length === 1 && only !== undefined) path.replace(only)
      else path.node.types = rest
    })
}

/** True for the former type `ResourceOptions`, which had no type parameters. */
function isBareOptions(node: ASTNode, imports: Imports): boolean {
  return (
    node.type === 'TSTypeReference' &&
    imports.importedAs(nameOfNode(node.typeName as ASTNode)) === 'ResourceOptions' &&
    !hasArguments(node)
  )
}

/** Gives an interface that omits members of a resource an `extend` that knows its own members. */
function declareExtend(script: Script, imports: Imports, node: TSInterfaceDeclaration): void {
  const { j } = script
  const index =
    node.extends?.findIndex((one) => script.sourceOf(one as ASTNode).startsWith('Omit<Resource<')) ?? -1
  const text = index < 0 ? '' : script.sourceOf(node.extends?.[index] as ASTNode)
  const keys = /,([^,]*)>$/s.exec(text)?.[1]?.trim()
  if (keys === undefined || node.body.body.length === 0) return
  for (const name of ['Extendable', 'ResourceMembers'])
    imports.need({ source: '@selfsame/core/rest', name }, undefined, true)
  const own = script.sourceOf(j.tsTypeLiteral(node.body.body as never))
  const made = script.statement(
    `interface made extends Omit<Resource<${names.join(', ')}>, ${keys} | 'extend'>, Extendable<
  Omit<ResourceMembers<${names.join(', ')}>, ${keys}> & ${own}
> {}`,
    1,
    false,
  ) as TSInterfaceDeclaration
  node.extends = node.extends?.flatMap((one, at) => (at === index ? (made.extends ?? []) : [one])) ?? null
}

/** Rewrites `GetEndpoint<Omit<O, …> & { … }>` to `RestEndpoint<{ …; method: 'GET'; searchParams: Search; memberPath: Path }>`. */
function toRestEndpoint(script: Script, imports: Imports, node: TSTypeReference): void {
  const { j } = script
  const [content] = node.typeParameters?.params ?? []
  const parts =
    content?.type === 'TSIntersectionType' ? content.types : content === undefined ? [] : [content]
  const literal = parts.find(({ type }) => type === 'TSTypeLiteral')
  if (literal?.type !== 'TSTypeLiteral' || node.typeParameters === null || node.typeParameters === undefined)
    return
  const known = new Set(literal.members.map(nameOf))
  const text = `type made = { ${[
    `readonly method: ${script.quoted('GET')}`,
    'readonly searchParams: Search',
    'readonly memberPath: Path',
  ].join('; ')} }`
  const made = script.statement(text) as unknown as { typeAnnotation: { members: typeof literal.members } }
  literal.members = [
    ...literal.members,
    ...made.typeAnnotation.members.filter((member) => !known.has(nameOf(member))),
  ]
  node.typeParameters.params = [literal]
  node.typeName = j.identifier(imports.need({ source: '@selfsame/core/rest', name: 'RestEndpoint' }))
}
