import type {
  ASTNode,
  ASTPath,
  ClassBody,
  ClassDeclaration,
  Collection,
  Identifier,
  JSCodeshift,
  JSXAttribute,
  JSXElement,
  Statement,
} from 'jscodeshift'

/** A type, as the makers of nodes take it. */
export type TypeNode = Parameters<JSCodeshift['tsTupleType']>[0][number]

/** A source file before the run. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** A note on code that was left unchanged or needs a review. */
export interface Remark {
  readonly path: string
  readonly line: number
  readonly reason: string
  /** True if the code runs as it is, on a legacy entry. */
  readonly runs: boolean
}

/** A script: a whole file, or a block of a .vue or .svelte file. */
export class Script {
  readonly path: string
  readonly j: JSCodeshift
  readonly root: Collection
  readonly isTypeScript: boolean
  /** The markup outside of the script; it may use names of the script. */
  readonly template: string
  /** The code before the run. */
  readonly text: string
  readonly #firstLine: number
  readonly #remarks: Remark[]

  /** @throws a SyntaxError if the text cannot be parsed */
  constructor(
    jscodeshift: JSCodeshift,
    text: string,
    block: { path: string; isTypeScript: boolean; isJsx: boolean; template: string; firstLine: number },
    remarks: Remark[],
  ) {
    this.path = block.path
    this.j = jscodeshift.withParser(block.isJsx ? 'tsx' : 'ts')
    this.root = this.j(text)
    this.isTypeScript = block.isTypeScript
    this.template = block.template
    this.text = text
    this.#firstLine = block.firstLine
    this.#remarks = remarks
  }

  /**
   * Adds a remark at the line of a node; an equal remark on the same line is added once.
   *
   * @param runs - whether the code runs as it is, on a legacy entry
   */
  remark(node: ASTNode, reason: string, runs = false): void {
    const line = this.lineOf(node)
    const isKnown = this.#remarks.some(
      (known) => known.path === this.path && known.line === line && known.reason === reason,
    )
    if (!isKnown) this.#remarks.push({ path: this.path, line, reason, runs })
  }

  lineOf(node: ASTNode): number {
    const { loc } = node as { loc?: { start: { line: number } } | null }
    return (loc?.start.line ?? 1) + this.#firstLine - 1
  }

  /** Prints the current code. Unchanged code keeps its formatting. */
  print(): string {
    // The printer changes the line breaks at the end, so the original ones are restored.
    const printed = this.sourceOf(this.root).trimEnd() + (/\s*$/.exec(this.text)?.[0] ?? '')
    return this.endsStatements ? printed : withoutEnds(printed, this.text)
  }

  /** Returns the code of a node or a collection. */
  sourceOf(node: Collection | ASTNode): string {
    const collection = 'toSource' in node ? node : this.j(node as never)
    return collection.toSource({
      quote: this.#quote === '"' ? 'double' : 'single',
      tabWidth: 2,
      trailingComma: /,\n\s*[}\])]/.test(this.text),
    })
  }

  /** Puts a text into the quotes that the script uses. */
  quoted(text: string): string {
    return this.#quote + text + this.#quote
  }

  /** Makes a statement with the line ends of the script, unless it takes none, and `lines` line breaks before and after it. */
  statement(text: string, lines = 1, hasEnd = true): Statement {
    const margin = '\n'.repeat(lines)
    const end = this.endsStatements && hasEnd ? ';' : ''
    // The printer keeps the space that was around the statement when it was parsed.
    return this.#parse(`0;${margin}${text}${end}${margin}0;`)[1] as Statement
  }

  /** Makes a class member from its code. */
  classMember(text: string): ClassBody['body'][number] {
    const end = this.endsStatements ? ';' : ''
    const { body } = this.#parse(`class X extends Y {\n  ${text}${end}\n}`)[0] as ClassDeclaration
    return body.body[0] as ClassBody['body'][number]
  }

  /** Makes a type from its code. */
  type(text: string): TypeNode {
    return (this.statement(`type X = ${text}`) as unknown as { typeAnnotation: TypeNode }).typeAnnotation
  }

  /** Makes an attribute of an element from its code. */
  attribute(text: string): JSXAttribute {
    const { expression } = this.#parse(`<X ${text} />`)[0] as { expression?: JSXElement }
    return expression?.openingElement.attributes?.[0] as JSXAttribute
  }

  /** Makes an arrow function of the params and the body of a method: an expression, if the body is one `return`. */
  arrow(params: readonly ASTNode[], body: ASTNode): ReturnType<JSCodeshift['arrowFunctionExpression']> {
    const [only, ...more] = body.type === 'BlockStatement' ? body.body : []
    const isPlain = more.length === 0 && only?.type === 'ReturnStatement' && only.argument !== null
    return this.j.arrowFunctionExpression(params as never, (isPlain ? only.argument : body) as never)
  }

  /** True if the script ends its statements with semicolons. */
  get endsStatements(): boolean {
    return /;[ \t]*$/m.test(this.text)
  }

  get #quote(): string {
    const [, ofImport] = /^import\b[^'"]*(['"])/m.exec(this.text) ?? []
    if (ofImport !== undefined) return ofImport
    const count = (quote: string) => this.text.split(quote).length
    return count('"') > count("'") ? '"' : "'"
  }

  #parse(text: string): readonly ASTNode[] {
    return this.j(text).find(this.j.Program).get().node.body as ASTNode[]
  }

  /** True if the markup around the script uses the name. */
  isInTemplate(name: string): boolean {
    return new RegExp(`\\b${name}\\b`).test(this.template)
  }

  /** True if an identifier in the script, or the markup, has that name. */
  hasName(name: string): boolean {
    return this.root.find(this.j.Identifier, { name }).length > 0 || this.isInTemplate(name)
  }

  /** True if the script imports from a package whose name matches. */
  imports(source: RegExp): boolean {
    return this.root
      .find(this.j.ImportDeclaration)
      .nodes()
      .some((node) => source.test(String(node.source.value)))
  }

  /** True if a member of a class of records is marked as an override. */
  get hasOverrides(): boolean {
    return this.isTypeScript && /\b(?:static override|override pk)\b/.test(this.text)
  }

  /** True if the script says that its components are those of a browser. */
  get isOfClient(): boolean {
    return /^\s*['"]use client['"]/.test(this.text)
  }

  /** True if the module scope declares or imports the name. */
  isDeclared(name: string): boolean {
    const [program] = this.root.find(this.j.Program).paths()
    return program?.scope?.lookup(name) !== null && program?.scope?.lookup(name) !== undefined
  }

  /** Finds the uses of the binding that `name` has in the scope of `from`, without its declaration. */
  references(name: string, from: ASTPath): ASTPath<Identifier>[] {
    const scope = from.scope?.lookup(name)
    return this.root
      .find(this.j.Identifier, { name })
      .filter((path) => isReference(path) && path.scope?.lookup(name) === scope)
      .paths()
  }

  /** Finds the uses of a name of the module scope. */
  usesOf(name: string): ASTPath<Identifier>[] {
    const [program] = this.root.find(this.j.Program).paths()
    return program === undefined ? [] : this.references(name, program)
  }

  /** True if a name of the module scope is used, also as the tag of an element or in markup. */
  isUsed(name: string): boolean {
    return (
      this.usesOf(name).length > 0 ||
      this.root.find(this.j.JSXIdentifier, { name }).length > 0 ||
      this.isInTemplate(name)
    )
  }
}

/** Removes the semicolons that the printer added to a script without semicolons. */
function withoutEnds(printed: string, before: string): string {
  const known = new Set(before.split('\n'))
  const lines = printed.split('\n')
  return lines
    .map((line, index) => {
      const next = lines.slice(index + 1).find((one) => one.trim() !== '') ?? ''
      return line.endsWith(';') && !known.has(line) && !/^\s*[([`+\-/]/.test(next) ? line.slice(0, -1) : line
    })
    .join('\n')
}

/** True if an identifier refers to a binding; false where it declares one or names a member. */
export function isReference(path: ASTPath<Identifier>): boolean {
  const { node, parent } = path
  const owner = parent?.node
  if (owner === undefined) return true
  switch (owner.type) {
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return owner.object === node || owner.computed === true
    case 'ObjectProperty':
    case 'Property':
      return owner.value === node || owner.computed === true
    case 'ObjectMethod':
    case 'ClassMethod':
    case 'ClassProperty':
    case 'TSPropertySignature':
    case 'TSMethodSignature':
      return owner.value === node || (owner.key === node && owner.computed === true)
    case 'VariableDeclarator':
      return owner.init === node
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
    case 'JSXAttribute':
      return false
    case 'ClassDeclaration':
    case 'ClassExpression':
    case 'FunctionDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return owner.id !== node
    case 'ExportSpecifier':
      return owner.local === node
    default:
      return true
  }
}
