import type {
  ASTNode,
  ASTPath,
  ClassBody,
  ClassDeclaration,
  Collection,
  Identifier,
  JSCodeshift,
  Statement,
} from 'jscodeshift'

/** A file, as it was read. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** What was left as it is, or needs a look. */
export interface Remark {
  readonly path: string
  readonly line: number
  readonly reason: string
}

/** A script: a whole file, or a block of a .vue or .svelte file. */
export class Script {
  readonly path: string
  readonly j: JSCodeshift
  readonly root: Collection
  readonly isTypeScript: boolean
  /** What stands outside of the scripts: it may use their names. */
  readonly template: string
  readonly #text: string
  readonly #firstLine: number
  readonly #remarks: Remark[]

  /** @throws a SyntaxError where the text is none of the language */
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
    this.#text = text
    this.#firstLine = block.firstLine
    this.#remarks = remarks
  }

  /** Notes what was not understood, or needs a look. */
  remark(node: ASTNode, reason: string): void {
    const line = this.lineOf(node)
    const isKnown = this.#remarks.some(
      (known) => known.path === this.path && known.line === line && known.reason === reason,
    )
    if (!isKnown) this.#remarks.push({ path: this.path, line, reason })
  }

  lineOf(node: ASTNode): number {
    const { loc } = node as { loc?: { start: { line: number } } | null }
    return (loc?.start.line ?? 1) + this.#firstLine - 1
  }

  /** The script as it is now. What was not changed keeps its form. */
  print(): string {
    // The printer counts the lines at the end anew.
    const printed = this.sourceOf(this.root).trimEnd() + (/\s*$/.exec(this.#text)?.[0] ?? '')
    return this.#endsStatements ? printed : withoutEnds(printed, this.#text)
  }

  /** The text of a node, or of all. */
  sourceOf(node: Collection | ASTNode): string {
    const collection = 'toSource' in node ? node : this.j(node as never)
    return collection.toSource({
      quote: this.#quote === '"' ? 'double' : 'single',
      tabWidth: 2,
      trailingComma: /,\n\s*[}\])]/.test(this.#text),
    })
  }

  /** Text in the quotes that the script uses. */
  quoted(text: string): string {
    return this.#quote + text + this.#quote
  }

  /** A statement, which ends as those of the script do, with a number of lines to its neighbours. */
  statement(text: string, lines = 1): Statement {
    const margin = '\n'.repeat(lines)
    const end = this.#endsStatements ? ';' : ''
    // The printer takes the space around a statement from where it was parsed.
    return this.#parse(`0;${margin}${text}${end}${margin}0;`)[1] as Statement
  }

  /** A member of a class. */
  classMember(text: string): ClassBody['body'][number] {
    const end = this.#endsStatements ? ';' : ''
    const { body } = this.#parse(`class X extends Y {\n  ${text}${end}\n}`)[0] as ClassDeclaration
    return body.body[0] as ClassBody['body'][number]
  }

  get #endsStatements(): boolean {
    return /;[ \t]*$/m.test(this.#text)
  }

  get #quote(): string {
    const count = (quote: string) => this.#text.split(quote).length
    return count('"') > count("'") ? '"' : "'"
  }

  #parse(text: string): readonly ASTNode[] {
    return this.j(text).find(this.j.Program).get().node.body as ASTNode[]
  }

  /** Whether the markup around the script uses a name. */
  isInTemplate(name: string): boolean {
    return new RegExp(`\\b${name}\\b`).test(this.template)
  }

  /** Whether anything in the script has that name. */
  hasName(name: string): boolean {
    return this.root.find(this.j.Identifier, { name }).length > 0 || this.isInTemplate(name)
  }

  /** Where the binding of this name, seen from a place, is used, without the place that declares it. */
  references(name: string, from: ASTPath): ASTPath<Identifier>[] {
    const scope = from.scope?.lookup(name)
    return this.root
      .find(this.j.Identifier, { name })
      .filter((path) => isReference(path) && path.scope?.lookup(name) === scope)
      .paths()
  }

  /** Where a name of the module is used. */
  usesOf(name: string): ASTPath<Identifier>[] {
    const [program] = this.root.find(this.j.Program).paths()
    return program === undefined ? [] : this.references(name, program)
  }

  /** Whether a name of the module is used, also as the tag of an element or in markup. */
  isUsed(name: string): boolean {
    return (
      this.usesOf(name).length > 0 ||
      this.root.find(this.j.JSXIdentifier, { name }).length > 0 ||
      this.isInTemplate(name)
    )
  }
}

/** Takes the ends off the statements that were printed anew, in a script that writes none. */
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

/** Whether an identifier stands for the value or type of a binding, and does not declare it or name a member. */
function isReference(path: ASTPath<Identifier>): boolean {
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
