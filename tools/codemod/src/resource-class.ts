import type { ASTNode, ASTPath, ClassDeclaration, ObjectExpression } from 'jscodeshift'
import type { Transform } from './names.js'
import type { Script } from './script.js'

type ClassMember = ClassDeclaration['body']['body'][number]

/** Maps the members of a class of the 5.1 generation to those of a resource. */
export const memberNames: Readonly<Record<string, string>> = {
  detail: 'get',
  list: 'getList',
  create: 'create',
  update: 'update',
  partialUpdate: 'partialUpdate',
  delete: 'delete',
}

/** Endpoint options whose names did not change. */
const sharedOptions = new Set([
  'dataExpiryLength',
  'errorExpiryLength',
  'errorPolicy',
  'invalidIfStale',
  'pollFrequency',
])

/** Statics that stay on the class when it becomes a plain record. */
const recordStatics = new Set(['key', 'schema', 'defaults', 'indexes', 'merge', 'validate'])

/** A class that extends `Resource`, and the result of its analysis. */
export class ResourceClass {
  readonly script: Script
  readonly path: ASTPath<ClassDeclaration>
  readonly name: string
  /** Name of the resource that is declared below the class. */
  readonly resourceName: string
  /** True if a resource can replace the class; otherwise its call sites are left unchanged. */
  isUnderstood = true
  /** True if the class has to stay a `Resource`, because code uses a member that the resource lacks. */
  isKept = false
  /** Members of the resource whose override in the class is not understood. */
  readonly opaque = new Set<string>()
  readonly #overrides = new Map<string, ObjectExpression>()
  readonly #moved = new Set<ClassMember>()
  #urlPrefix: string | undefined
  #path = ''
  #extra: ObjectExpression['properties'] = []

  constructor(script: Script, path: ASTPath<ClassDeclaration>, name: string, transform: Transform) {
    this.script = script
    this.path = path
    this.name = name
    this.resourceName = toResourceName(name)
    this.#analyze(transform)
  }

  /** True if an earlier run declared the resource. */
  get isDeclared(): boolean {
    return this.#declared.some((text) => /^(createResource|resource)\(/.test(text))
  }

  /** The initializers of the variables with the name of the resource, as text. */
  get #declared(): string[] {
    const { j, root } = this.script
    return root
      .find(j.VariableDeclarator, { id: { name: this.resourceName } })
      .paths()
      .map(({ node }) => (node.init ? this.script.sourceOf(node.init) : ''))
  }

  /** Returns the member of the resource that replaces `X.detail()` or `X.detailShape()`; `undefined` if none does. */
  memberFor(method: string): string | undefined {
    const member = memberNames[method.replace(/Shape$/, '')]
    return this.isUnderstood && member !== undefined && !this.opaque.has(member) ? member : undefined
  }

  /** Declares the resource below the class, and makes the class a plain record unless it has to stay a `Resource`. */
  convert(): { readonly isRecord: boolean } {
    if (!this.isUnderstood) return { isRecord: false }
    const { j } = this.script
    if (!this.isDeclared) this.#declareResource()
    if (this.isKept) return { isRecord: false }
    const { body } = this.path.node.body
    const hasKey = body.some((member) => nameOf(member) === 'key' && isStatic(member))
    this.path.node.superClass = j.identifier('Entity')
    const override = body.some((member) => (member as { override?: boolean }).override === true)
      ? 'override '
      : ''
    const key = this.script.classMember(`static ${override}key = ${this.script.quoted(this.name)}`)
    this.path.node.body.body = body.flatMap((member) => {
      if (!this.#moved.has(member)) return [member]
      return !hasKey && nameOf(member) === 'urlRoot' ? [key] : []
    })
    return { isRecord: true }
  }

  #analyze(transform: Transform): void {
    const members = this.path.node.body.body
    const statics = members.filter(isStatic)
    const find = (name: string) => statics.find((member) => nameOf(member) === name)

    for (const name of [
      'url',
      'listUrl',
      'fetch',
      'getFetchInit',
      'getFetchOptions',
      'fetchResponse',
      'getKey',
      'pk',
    ])
      if (find(name) !== undefined)
        return this.#giveUp(
          find(name),
          `${this.name}.${name} is overridden: write it as an option of the resource`,
        )
    const schema = find('schema')
    if (transform === '4.5' && schema !== undefined && hasRecords(schema))
      return this.#giveUp(
        schema,
        `${this.name}.schema names records: reads of the 4.5 generation kept their ids, and a resource joins them`,
      )

    const field = this.#primaryKey(members)
    if (field === undefined)
      return this.#giveUp(
        undefined,
        `the pk() of ${this.name} is not one of its fields: write the path by hand`,
      )
    const urlRoot = find('urlRoot')
    if (urlRoot === undefined || !this.#readUrlRoot(urlRoot, field))
      return this.#giveUp(urlRoot, `the urlRoot of ${this.name} is not plain text: write the path by hand`)
    if (!this.isDeclared && this.script.hasName(this.resourceName))
      return this.#giveUp(
        undefined,
        `the name ${this.resourceName}, of the resource of ${this.name}, is taken`,
      )
    this.#moved.add(urlRoot)
    for (const member of statics) if (member !== urlRoot) this.#readStatic(member)
  }

  #giveUp(node: ASTNode | undefined, reason: string): void {
    this.isUnderstood = false
    this.isKept = true
    this.script.remark(
      node ?? this.path.node.id ?? this.path.node,
      `${reason}; the class stays on @selfsame/core/legacy`,
    )
  }

  #readStatic(member: ClassMember): void {
    const name = nameOf(member) ?? ''
    if (recordStatics.has(name)) return
    if (name === 'getEndpointExtra') {
      const extra = this.#returned(member)
      const options = extra?.properties.filter((property) => !isSpreadOfSuper(property))
      if (options?.every((property) => sharedOptions.has(nameOf(property) ?? '')) === true) {
        this.#extra = options
        this.#moved.add(member)
        return
      }
    }
    const method = name.replace(/Shape$/, '')
    const target = memberNames[method]
    if (target === undefined)
      return this.#keep(
        member,
        `${this.name}.${name} is your own: write it as a member of ${this.resourceName}, by extend`,
      )
    const override = this.#readOverride(member, name)
    if (override === undefined || this.#overrides.has(target)) {
      this.opaque.add(target)
      return this.#keep(
        member,
        `what ${this.name}.${name} overrides is not plain options: write it as ${this.resourceName}.${target}`,
      )
    }
    this.#overrides.set(target, override)
    this.#moved.add(member)
  }

  #keep(node: ASTNode, reason: string): void {
    this.isKept = true
    this.script.remark(node, `${reason}; the class stays on @selfsame/core/legacy`)
  }

  /** Returns `{ schema }` for `super.detail().extend({ schema })` and for `{ ...super.detailShape(), schema }`. */
  #readOverride(member: ClassMember, name: string): ObjectExpression | undefined {
    const { j } = this.script
    const value = returnedBy(member)
    if (value === undefined) return undefined
    let options: ObjectExpression | undefined
    if (name.endsWith('Shape')) {
      if (value.type !== 'ObjectExpression') return undefined
      const [first, ...rest] = value.properties
      if (first === undefined || !isSpreadOfSuper(first, name)) return undefined
      options = j.objectExpression(rest.flatMap((property) => optionsOfShape(property) ?? [property]))
    } else if (
      value.type === 'CallExpression' &&
      value.callee.type === 'MemberExpression' &&
      isCallOfSuper(value.callee.object, name) &&
      nameOfNode(value.callee.property) === 'extend' &&
      value.arguments[0]?.type === 'ObjectExpression' &&
      value.arguments.length === 1
    )
      options = value.arguments[0]
    const known = options?.properties.every((property) => {
      const option = nameOf(property) ?? ''
      return property.type === 'ObjectProperty' && (option === 'schema' || sharedOptions.has(option))
    })
    return options !== undefined && known === true && this.#nameThis(options) ? options : undefined
  }

  /** Replaces `this` and `this.asSchema()` by the class. @returns false if the options use `this` in another way */
  #nameThis(options: ObjectExpression): boolean {
    const { name } = this
    const { j } = this.script
    const root = j(options)
    root
      .find(j.CallExpression)
      .filter(({ node }) => isAsSchema(node))
      .forEach((path) => {
        const { object } = path.node.callee as { object: ASTNode }
        path.replace(object.type === 'ThisExpression' ? j.identifier(name) : (object as never))
      })
    const isPlain = root.find(j.Function).length === 0 && root.find(j.Super).length === 0
    const uses = root.find(j.ThisExpression)
    const isMember = uses.filter(({ parent }) => parent?.node.type === 'MemberExpression').length > 0
    if (!isPlain || isMember) return false
    uses.replaceWith(() => j.identifier(name))
    return true
  }

  #returned(member: ClassMember): ObjectExpression | undefined {
    const value = returnedBy(member)
    return value?.type === 'ObjectExpression' ? value : undefined
  }

  /** Returns the field that `pk()` returns, such as `id` for `this.id`, `this.id.toString()` or `String(this.id)`. */
  #primaryKey(members: readonly ClassMember[]): string | undefined {
    const pk = members.find((member) => nameOf(member) === 'pk' && !isStatic(member))
    if (pk === undefined) return members.some((member) => nameOf(member) === 'id') ? 'id' : undefined
    const value = returnedBy(pk)
    const text = value === undefined ? '' : this.script.sourceOf(value)
    const match =
      /^this\.(\w+)(\??\.toString\(\))?$/.exec(text) ??
      /^`\$\{this\.(\w+)\}`$/.exec(text) ??
      /^String\(this\.(\w+)\)$/.exec(text)
    return match?.[1]
  }

  #readUrlRoot(member: ClassMember, field: string): boolean {
    const value = (member as { value?: ASTNode | null }).value
    if (value === undefined || value === null) return false
    let text: string
    if (value.type === 'StringLiteral') text = value.value
    else if (value.type === 'TemplateLiteral') {
      const [begin, rest, ...more] = value.quasis.map(({ value: part }) => part.cooked ?? '')
      if (more.length > 0 || begin === undefined) return false
      if (rest === undefined) text = begin
      else {
        // `${API}/todo`
        if (begin !== '') return false
        this.#urlPrefix = this.script.sourceOf(value.expressions[0] as ASTNode)
        text = rest
      }
    } else return false
    const [, origin, path = ''] = /^((?:https?:)?\/\/[^/]+)?(.*)$/.exec(text) ?? []
    if (origin !== undefined) {
      if (this.#urlPrefix !== undefined) return false
      this.#urlPrefix = this.script.quoted(origin)
    }
    const base = path.replace(/\/$/, '')
    if (!/^(\/[\w.~-]+)+$/.test(base)) return false
    this.#path = `${base}/:${field}`
    if (path !== base)
      this.script.remark(
        member,
        `the urlRoot of ${this.name} ends in a slash: its list was at ${path} and is at ${base} now. Where the server needs the slash, extend getList and create with their path`,
      )
    return true
  }

  #declareResource(): void {
    const { script } = this
    const { j, root } = script
    const sourceOf = (node: ASTNode) => script.sourceOf(node)
    const options = [
      ...(this.#urlPrefix === undefined ? [] : [`urlPrefix: ${this.#urlPrefix}`]),
      `path: ${script.quoted(this.#path)}`,
      `schema: ${this.name}`,
      ...this.#extra.map(sourceOf),
    ]
    const overrides = [...this.#overrides].map(
      ([member, override]) => `  ${member}: ${member}.extend(${indented(sourceOf(override))}),`,
    )
    const extension =
      overrides.length === 0
        ? ''
        : `.extend(({ ${[...this.#overrides.keys()].join(', ')} }) => ({\n${overrides.join('\n')}\n}))`
    const isExported = this.path.parent?.node.type.startsWith('Export') === true
    const isExportedLater =
      root.find(j.ExportSpecifier, { local: { name: this.name } }).length > 0 ||
      root.find(j.ExportDefaultDeclaration, { declaration: { name: this.name } }).length > 0
    const place = isExported ? this.path.parent : this.path
    place.insertAfter(
      script.statement(
        `${isExported || isExportedLater ? 'export ' : ''}const ${this.resourceName} = createResource({\n  ${options.join(',\n  ')},\n})${extension}`,
        2,
      ),
    )
  }
}

/** Indents all lines but the first: the least indented of them by two spaces, the others relative to it. */
function indented(text: string): string {
  const [first = '', ...rest] = text.split('\n')
  const least = Math.min(...rest.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)))
  return [first, ...rest.map((line) => (line.trim() === '' ? '' : `  ${line.slice(least)}`))].join('\n')
}

/** Returns `todoResource` for Todo and for TodoResource. */
function toResourceName(name: string): string {
  const begin = name[0]?.toLowerCase() + name.slice(1)
  return begin.endsWith('Resource') ? begin : `${begin}Resource`
}

/** True if a static schema holds anything other than `Date`. */
function hasRecords(member: ClassMember): boolean {
  const value = (member as { value?: ASTNode | null }).value
  return !(
    value?.type === 'ObjectExpression' &&
    value.properties.every(
      (property) => property.type === 'ObjectProperty' && nameOfNode(property.value) === 'Date',
    )
  )
}

function isStatic(member: ClassMember): boolean {
  return (member as { static?: boolean }).static === true
}

/** Returns the name of a member of a class or an object; `undefined` if it is computed. */
export function nameOf(member: ASTNode): string | undefined {
  const { key, computed } = member as { key?: ASTNode; computed?: boolean }
  return key === undefined || computed === true ? undefined : nameOfNode(key)
}

export function nameOfNode(node: ASTNode): string | undefined {
  return node.type === 'Identifier' || node.type === 'JSXIdentifier' ? String(node.name) : undefined
}

/** Returns the returned expression of a method whose body is one `return`. */
function returnedBy(member: ASTNode): ASTNode | undefined {
  const { body } = member as { body?: ASTNode }
  if (body?.type !== 'BlockStatement') return undefined
  const [only, ...more] = body.body
  if (more.length > 0 || only?.type !== 'ReturnStatement') return undefined
  return unwrapped((only.argument ?? undefined) as ASTNode | undefined)
}

function unwrapped(value: ASTNode | undefined): ASTNode | undefined {
  return value?.type === 'TSAsExpression' ? (value.expression as ASTNode) : value
}

/** True for `super.detail()`; with `name` only for the method of that name. */
function isCallOfSuper(node: ASTNode, name?: string): boolean {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false
  const { object, property } = node.callee
  return object.type === 'Super' && (name === undefined || nameOfNode(property) === name)
}

function isSpreadOfSuper(property: ASTNode, name?: string): boolean {
  if (property.type !== 'SpreadElement') return false
  const value = unwrapped(property.argument as ASTNode)
  return value !== undefined && isCallOfSuper(value, name)
}

/** Returns the options in `options: { … }` of a shape. */
function optionsOfShape(property: ASTNode): ObjectExpression['properties'] | undefined {
  if (property.type !== 'ObjectProperty' || nameOf(property) !== 'options') return undefined
  return property.value.type === 'ObjectExpression' ? property.value.properties : undefined
}

/** True for `X.asSchema()` and `X.getEntitySchema()`, which returned the class itself. */
export function isAsSchema(node: ASTNode): boolean {
  return (
    node.type === 'CallExpression' &&
    node.callee.type === 'MemberExpression' &&
    node.arguments.length === 0 &&
    ['asSchema', 'getEntitySchema'].includes(nameOfNode(node.callee.property) ?? '')
  )
}
