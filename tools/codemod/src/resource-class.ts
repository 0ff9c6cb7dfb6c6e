import type { ASTNode, ASTPath, ClassDeclaration, ObjectExpression } from 'jscodeshift'
import { readFetchOverride } from './fetch-override.js'
import type { FetchOverride } from './fetch-override.js'
import type { Transform } from './names.js'
import { nameOf, nameOfNode } from './nodes.js'
import { isReference } from './script.js'
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

/** Methods that returned such options. */
const optionMethods = new Set(['getEndpointExtra', 'getFetchOptions'])

/** Methods that changed the init of each request. */
const initMethods = new Set(['getFetchInit', 'useFetchInit', 'fetchOptionsPlugin'])

/** Members that decide about each request, so that no resource can be derived from a class that overrides one. */
const requestMembers = ['url', 'listUrl', 'fetch', 'fetchResponse', 'fetchPlugin', 'getKey', 'pk']

/** Statics that stay on the class when it becomes a plain record. */
const recordStatics = new Set(['key', 'schema', 'defaults', 'indexes', 'merge', 'validate'])

/** Members of `Resource` that a static of the application's own may use. */
const resourceStatics =
  /\b(?:super|this)\s*\.\s*(?:url|listUrl|urlRoot|fetch|fetchResponse|asSchema|getEntitySchema|\w*Shape|detail|list|create|update|partialUpdate|delete)\b/

/** A class that extends `Resource`, directly or through others, and the result of its analysis. */
export class ResourceClass {
  readonly script: Script
  readonly path: ASTPath<ClassDeclaration>
  readonly name: string
  /** The class of the application that it extends. */
  readonly base: ResourceClass | undefined
  /** True if another class extends it. */
  readonly isExtended: boolean
  /** True if it has no URL: other classes extend it, and it has no resource of its own. */
  isBase = false
  /** Name of the resource that is declared below the class. */
  readonly resourceName: string
  /** Name of the endpoint class that is declared below the class, for its `fetch`, `getFetchInit` or the like. */
  readonly endpointName: string
  /** True if a resource can replace the class; otherwise its call sites are left unchanged. */
  isUnderstood = true
  /** True if the class has to stay a `Resource`, because code uses a member that the resource lacks. */
  isKept = false
  /** True if a resource uses its endpoint class. */
  isEndpointUsed = false
  /** True if it was made a plain record. */
  isRecord = false
  /** Members of the resource whose override in the class is not understood. */
  readonly opaque = new Set<string>()
  readonly #overrides = new Map<string, Portable>()
  readonly #moved = new Set<ClassMember>()
  /** Names of statics that have nothing to do with requests. */
  readonly #own = new Set<string>()
  /** Why neither this class nor those that extend it are understood. */
  #obstacle: string | undefined
  #urlPrefix: Portable | undefined
  #path = ''
  #extra: Portable[] = []
  #init: ClassMember | undefined
  #fetch: FetchOverride | undefined

  constructor(
    script: Script,
    path: ASTPath<ClassDeclaration>,
    name: string,
    transform: Transform,
    base?: ResourceClass,
    isExtended = false,
  ) {
    this.script = script
    this.path = path
    this.name = name
    this.base = base
    this.isExtended = isExtended
    this.resourceName = toResourceName(name)
    this.endpointName = `${name}Endpoint`
    this.#analyze(transform)
  }

  /** The class of the application from which all levels derive. */
  get root(): ResourceClass {
    return this.base?.root ?? this
  }

  /** The class whose endpoint class the resource uses; `undefined` for plain endpoints. */
  get endpoint(): ResourceClass | undefined {
    return this.#init === undefined && this.#fetch === undefined ? this.base?.endpoint : this
  }

  /** The class whose endpoint class that of this class extends. Statics call `super` themselves. */
  get baseEndpoint(): ResourceClass | undefined {
    const { endpoint } = this.base ?? {}
    if (endpoint === undefined) return undefined
    return endpoint.#lineage.some((one) => one.#fetch !== undefined) ? endpoint : undefined
  }

  /** True if the endpoint class changes the init of requests before they are sent. */
  get changesInit(): boolean {
    return this.#fetch?.before !== undefined
  }

  /** True if the endpoint class has `getRequestInit`. */
  get hasInit(): boolean {
    return this.#init !== undefined
  }

  /** True if an endpoint class is declared below the class. */
  get declaresEndpoint(): boolean {
    return this.endpoint === this && this.isUnderstood && this.isEndpointUsed
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
    const isReplaced = this.isUnderstood && !this.isBase && member !== undefined
    return isReplaced && !this.#isOpaque(member) ? member : undefined
  }

  #isOpaque(member: string): boolean {
    if (this.opaque.has(member)) return true
    return !this.#overrides.has(member) && this.base !== undefined && this.base.#isOpaque(member)
  }

  /**
   * Declares the resource below the class, and makes the class a plain record unless it has to stay a `Resource`.
   *
   * @param isNeeded - whether the resource is used, or may be
   */
  convert(isNeeded: boolean): void {
    if (!this.isUnderstood) return
    const { j } = this.script
    if (!this.isBase && isNeeded && !this.isDeclared) this.#declareResource()
    if (this.declaresEndpoint) this.#declareEndpoint()
    if (this.isKept) return
    this.isRecord = true
    const { body } = this.path.node.body
    const hasKey = body.some((member) => nameOf(member) === 'key' && isStatic(member))
    if (this.base === undefined) this.path.node.superClass = j.identifier('Entity')
    const override = body.some((member) => (member as { override?: boolean }).override === true)
      ? 'override '
      : ''
    const key = this.script.classMember(`static ${override}key = ${this.script.quoted(this.name)}`)
    this.path.node.body.body = body.flatMap((member) => {
      if (!this.#moved.has(member)) return [member]
      return !hasKey && nameOf(member) === 'urlRoot' ? [key] : []
    })
  }

  /** This class and those of the application that it extends, itself first. */
  get #lineage(): ResourceClass[] {
    return [this, ...(this.base === undefined ? [] : this.base.#lineage)]
  }

  /** The first of the lineage for which a value is there. */
  #nearest<Value>(find: (one: ResourceClass) => Value | undefined): Value | undefined {
    return this.#lineage.map(find).find((value) => value !== undefined)
  }

  /** True if the class keeps a static of that name when it becomes a plain record. */
  hasStatic(name: string): boolean {
    return this.#lineage.some((one) => one.#own.has(name))
  }

  get #statics(): ClassMember[] {
    return this.path.node.body.body.filter(isStatic)
  }

  #static(name: string): ClassMember | undefined {
    return this.#statics.find((member) => nameOf(member) === name)
  }

  /** True if this is the other class, or extends it. */
  isBelow(other: ResourceClass): boolean {
    return this.#lineage.includes(other)
  }

  /** Adds a remark for a class of which calls stay on legacy, where nothing calls its `getFetchInit`. */
  noteInit(): void {
    const init = this.#statics.find((member) => initMethods.has(nameOf(member) ?? ''))
    const name = init && nameOf(init)
    const isCalled = (one: ResourceClass) =>
      new RegExp(`\\bthis\\s*\\.\\s*${name}\\b`).test(one.script.sourceOf(one.path.node))
    if (init === undefined || this.#lineage.some(isCalled)) return
    this.script.remark(
      init,
      `nothing calls ${this.name}.${name} on @selfsame/core/legacy: apply it in an override of ${this.name}.fetch, or give the Controller a transport that does (docs/authentication.md)`,
    )
  }

  /** The same member has another name on legacy. */
  #renameOptions(): void {
    const { j } = this.script
    const rename = ({ node }: { readonly node: { key: unknown } | { property: unknown } }) =>
      Object.assign(node, { ['key' in node ? 'key' : 'property']: j.identifier('getEndpointExtra') })
    j(this.path)
      .find(j.ClassMethod, { key: { name: 'getFetchOptions' } })
      .forEach(rename)
    j(this.path)
      .find(j.MemberExpression, { property: { name: 'getFetchOptions' } })
      .forEach(rename)
  }

  #analyze(transform: Transform): void {
    const { base } = this
    this.#renameOptions()
    const obstacle = this.#nearest((one) => one.#obstacle)
    if (obstacle !== undefined) {
      this.#obstacle = obstacle
      return this.#giveUp(undefined, `${this.name} extends ${this.base?.name}: ${obstacle}`)
    }
    const fetch = this.#static('fetch')
    this.#fetch = fetch && readFetchOverride(this.script, fetch)
    for (const name of requestMembers)
      if (this.#static(name) !== undefined && (name !== 'fetch' || this.#fetch === undefined)) {
        this.#obstacle = `${this.name}.${name} is overridden`
        return this.#giveUp(this.#static(name), `${this.#obstacle}: write it as an option of the resource`)
      }
    const init = this.#statics.find((member) => initMethods.has(nameOf(member) ?? ''))
    if (init !== undefined && callsHooks(this.script, init)) {
      this.#obstacle = `${this.name}.${nameOf(init)} calls hooks`
      return this.#giveUp(
        init,
        `${this.#obstacle}, and requests are sent outside of components: keep what they give in a module, and return it from getHeaders (docs/authentication.md)`,
      )
    }
    this.#init = init
    if (init !== undefined && this.base?.endpoint?.hasInit === true && this.baseEndpoint !== undefined) {
      this.#obstacle = `${this.name}.${nameOf(init)} and ${this.base.name} change the same requests`
      return this.#giveUp(init, `${this.#obstacle}: write one class of endpoints (docs/authentication.md)`)
    }
    const schema = this.#static('schema')
    if (transform === '4.5' && schema !== undefined && hasRecords(schema))
      return this.#giveUp(
        schema,
        `${this.name}.schema names records: reads of the 4.5 generation kept their ids, and a resource joins them`,
      )

    const field = this.#nearest((one) => one.#primaryKey())
    const urlRoot = this.#nearest((one) => {
      const member = one.#static('urlRoot')
      return member && { member, from: one }
    })
    this.isBase = urlRoot === undefined && (this.isExtended || isAbstract(this.path.node))
    if (!this.isBase) {
      if (field === undefined || field === '')
        return this.#giveUp(
          undefined,
          `the pk() of ${this.name} is not one of its fields: write the path by hand`,
        )
      if (urlRoot === undefined)
        return this.#giveUp(undefined, `${this.name} has no urlRoot: write the path by hand`)
      if (!this.#readUrlRoot(urlRoot.member, urlRoot.from.script, field))
        return this.#giveUp(
          urlRoot.member,
          `the urlRoot of ${this.name} is not plain text: write the path by hand`,
        )
      if (!this.isDeclared && this.script.hasName(this.resourceName))
        return this.#giveUp(
          undefined,
          `the name ${this.resourceName}, of the resource of ${this.name}, is taken`,
        )
    }
    for (const [member, override] of base === undefined ? [] : base.#allOverrides)
      if (!override.isValidIn(this.script)) this.opaque.add(member)
    const foreign = this.#options.find((option) => !option.isValidIn(this.script))
    if (foreign !== undefined)
      return this.#giveUp(
        undefined,
        `${this.name} inherits ${foreign.name}, which uses names of another file: write it as an option of the resource`,
      )
    for (const member of this.#statics)
      if (nameOf(member) === 'urlRoot') this.#moved.add(member)
      else if (member === fetch) this.#moved.add(member)
      else if (member !== init) this.#readStatic(member)
  }

  #giveUp(node: ASTNode | undefined, reason: string): void {
    this.isUnderstood = false
    this.isKept = true
    this.script.remark(
      node ?? this.path.node.id ?? this.path.node,
      `${reason}; the class stays on @selfsame/core/legacy`,
      true,
    )
  }

  #readStatic(member: ClassMember): void {
    const name = nameOf(member) ?? ''
    if (recordStatics.has(name)) return
    if (optionMethods.has(name)) {
      const extra = this.#returned(member)
      const options = extra?.properties.filter((property) => !isSpreadOfSuper(property))
      if (options?.every((property) => sharedOptions.has(nameOf(property) ?? '')) === true) {
        this.#extra = options.map((option) => new Portable(this.script, option))
        this.#moved.add(member)
        return
      }
    }
    const method = name.replace(/Shape$/, '')
    const target = memberNames[method]
    if (target === undefined && name !== '' && !resourceStatics.test(this.script.sourceOf(member))) {
      this.#own.add(name)
      return
    }
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
    this.#overrides.set(target, new Portable(this.script, override))
    this.#moved.add(member)
  }

  #keep(node: ASTNode, reason: string): void {
    this.isKept = true
    this.script.remark(node, `${reason}; the class stays on @selfsame/core/legacy`, true)
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
      if (property.type !== 'ObjectProperty') return false
      return option === 'schema' || option === 'getOptimisticResponse' || sharedOptions.has(option)
    })
    if (options === undefined || known !== true || !this.#hasPlainThis(options)) return undefined
    // That was the schema of all members but the list.
    const isDefault = (property: ASTNode) =>
      property.type === 'ObjectProperty' &&
      nameOf(property) === 'schema' &&
      property.value.type === 'ThisExpression' &&
      !name.startsWith('list')
    return options.properties.some(isDefault)
      ? j.objectExpression(options.properties.filter((property) => !isDefault(property)))
      : options
  }

  /** Replaces `this.asSchema()` by `this`. @returns false if the options use `this` as anything but a schema */
  #hasPlainThis(options: ObjectExpression): boolean {
    const { j } = this.script
    const root = j(options)
    root
      .find(j.CallExpression)
      .filter(({ node }) => isAsSchema(node))
      .forEach((path) => {
        const { object } = path.node.callee as { object: ASTNode }
        path.replace(object as never)
      })
    // In such a function `this` is the endpoint.
    const own = [...root.find(j.FunctionExpression).paths(), ...root.find(j.ObjectMethod).paths()]
    const isPlain =
      own.every((path) => j(path).find(j.ThisExpression).length === 0) && root.find(j.Super).length === 0
    const uses = root.find(j.ThisExpression)
    return isPlain && uses.filter(({ parent }) => parent?.node.type === 'MemberExpression').length === 0
  }

  #returned(member: ClassMember): ObjectExpression | undefined {
    const value = returnedBy(member)
    return value?.type === 'ObjectExpression' ? value : undefined
  }

  /**
   * Returns the field that `pk()` returns, such as `id` for `this.id`, `this.id.toString()` or `String(this.id)`; `''` for any other
   * value, and `undefined` if the class says nothing about it.
   */
  #primaryKey(): string | undefined {
    const members = this.path.node.body.body
    const pk = members.find((member) => nameOf(member) === 'pk' && !isStatic(member))
    if (pk === undefined) return members.some((member) => nameOf(member) === 'id') ? 'id' : undefined
    if (isAbstract(pk)) return undefined
    const value = returnedBy(pk)
    const text = value === undefined ? '' : this.script.sourceOf(value)
    const match =
      /^this\.(\w+)(\??\.toString\(\))?$/.exec(text) ??
      /^`\$\{this\.(\w+)\}`$/.exec(text) ??
      /^String\(this\.(\w+)\)$/.exec(text)
    return match?.[1] ?? ''
  }

  #readUrlRoot(member: ClassMember, from: Script, field: string): boolean {
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
        this.#urlPrefix = new Portable(from, value.expressions[0] as ASTNode)
        if (!this.#urlPrefix.isValidIn(this.script)) return false
        text = rest
      }
    } else return false
    const [, origin, path = ''] = /^((?:https?:)?\/\/[^/]+)?(.*)$/.exec(text) ?? []
    if (origin !== undefined) {
      if (this.#urlPrefix !== undefined) return false
      this.#urlPrefix = new Portable(from, from.j.stringLiteral(origin))
    }
    const base = path.replace(/\/$/, '')
    if (!/^(\/[\w.~-]+)+$/.test(base)) return false
    this.#path = `${base}/:${field}`
    if (path !== base && from === this.script)
      this.script.remark(
        member,
        `the urlRoot of ${this.name} ends in a slash: its list was at ${path} and is at ${base} now. Where the server needs the slash, extend getList and create with their path`,
      )
    return true
  }

  /** The options of this class and of those that it extends; the nearest of a name counts. */
  get #options(): Portable[] {
    const options = this.#lineage.reverse().flatMap((one) => one.#extra)
    return [...new Map(options.map((option) => [option.name, option])).values()]
  }

  /** True if the resource uses `optimistic`. */
  get isOptimistic(): boolean {
    return [...this.#allOverrides.values()].some((one) => one.isOptimistic)
  }

  get #allOverrides(): ReadonlyMap<string, Portable> {
    const overrides = new Map<string, Portable>()
    for (const one of this.#lineage.reverse())
      for (const [member, override] of one.#overrides) overrides.set(member, override)
    return overrides
  }

  #declareResource(): void {
    const { script, endpoint } = this
    const options = [
      ...(this.#urlPrefix === undefined ? [] : [`urlPrefix: ${this.#urlPrefix.textIn(this)}`]),
      `path: ${script.quoted(this.#path)}`,
      `schema: ${this.name}`,
      ...(endpoint === undefined ? [] : [`Endpoint: ${endpoint.endpointName}`]),
      ...this.#options.map((option) => option.textIn(this)),
    ]
    const overrides = [...this.#allOverrides].filter(([, override]) => !override.isEmpty)
    const names = overrides.map(([member]) => member)
    const members = overrides.map(
      ([member, override]) => `  ${member}: ${member}.extend(${indented(override.textIn(this))}),`,
    )
    const extension =
      members.length === 0 ? '' : `.extend(({ ${names.join(', ')} }) => ({\n${members.join('\n')}\n}))`
    this.#declare(
      `const ${this.resourceName} = createResource({\n  ${options.join(',\n  ')},\n})${extension}`,
    )
  }

  #declareEndpoint(): void {
    const { script, endpointName } = this
    if (script.isDeclared(endpointName)) return
    const [typed, generic] = script.isTypeScript
      ? ['<const Options extends RestOptions>', '<Options>']
      : ['', '']
    const base = this.baseEndpoint?.endpointName ?? 'RestEndpoint'
    this.#declare(
      `class ${endpointName}${typed} extends ${base}${generic} {\n${this.#steps.join('\n\n')}\n}`,
      false,
    )
  }

  /** The members of the endpoint class. */
  get #steps(): string[] {
    const { script, name } = this
    const member = this.#init
    const method = (member && nameOf(member)) ?? ''
    if (member !== undefined && this.base === undefined) this.#dropSuper(member, method)
    const { before, after } = this.#fetch ?? {}
    const [input, init] = before?.params ?? []
    const end = script.endsStatements ? ';' : ''
    const step = (head: string, typedHead: string, body: string) =>
      `  ${script.isTypeScript ? `override async ${typedHead}` : `async ${head}`} {\n    ${body}\n  }`
    return [
      ...(member === undefined
        ? []
        : [
            step(
              'getRequestInit(body)',
              'getRequestInit(body?: unknown): Promise<RequestInit>',
              `return ${name}.${method}(await super.getRequestInit(body))${end}`,
            ),
          ]),
      ...(before === undefined
        ? []
        : [
            step(
              `fetchResponse(${input}, ${init})`,
              `fetchResponse(${input}: string, ${init}: TransportInit): Promise<Response>`,
              `${before.body}\n    return super.fetchResponse(${input}, ${init})${end}`,
            ),
          ]),
      ...(after === undefined
        ? []
        : [step('parseResponse(response)', 'parseResponse(response: Response): Promise<unknown>', after)]),
    ]
  }

  /** Replaces `super.getFetchInit(init)` by `init`, which is what `Resource` returned. */
  #dropSuper(member: ClassMember, method: string): void {
    const { j } = this.script
    j(member as never)
      .find(j.CallExpression)
      .filter(({ node }) => isCallOfSuper(node, method))
      .forEach((path) => {
        path.replace((path.node.arguments[0] ?? j.identifier('undefined')) as never)
      })
  }

  /** Declares something below the class, exported if the class is. */
  #declare(text: string, isStatement = true): void {
    const { script } = this
    const { j, root } = script
    const isExported = this.path.parent?.node.type.startsWith('Export') === true
    const isExportedLater =
      root.find(j.ExportSpecifier, { local: { name: this.name } }).length > 0 ||
      root.find(j.ExportDefaultDeclaration, { declaration: { name: this.name } }).length > 0
    const place = isExported ? this.path.parent : this.path
    place.insertAfter(
      script.statement(`${isExported || isExportedLater ? 'export ' : ''}${text}`, 2, isStatement),
    )
  }
}

/** Code of a class that may be written below a class that extends it. */
class Portable {
  readonly name: string | undefined
  readonly #script: Script
  readonly #node: ASTNode

  constructor(script: Script, node: ASTNode) {
    this.#script = script
    this.#node = node
    this.name = nameOf(node)
  }

  /** True if all names of the code stand for the same in another script. */
  isValidIn(script: Script): boolean {
    if (script === this.#script) return true
    const { j } = this.#script
    const expression = j(j.expressionStatement(j.arrayExpression([valueOf(this.#node) as never])))
    return expression
      .find(j.Identifier)
      .paths()
      .every((path) => !isReference(path) || !this.#script.isDeclared(path.node.name))
  }

  get isEmpty(): boolean {
    return (this.#node as { properties?: readonly ASTNode[] }).properties?.length === 0
  }

  get isOptimistic(): boolean {
    const { properties } = this.#node as { properties?: readonly ASTNode[] }
    return properties?.some((property) => nameOf(property) === 'getOptimisticResponse') === true
  }

  /** Returns the code for a class: `this` is that class. */
  textIn({ script, name }: ResourceClass): string {
    if (this.#node.type === 'StringLiteral') return script.quoted(this.#node.value)
    return this.#script.sourceOf(this.#node).replaceAll(/(?<![\w.$])this(?![\w$])/g, name)
  }
}

/** The code of a property, or of a value. */
function valueOf(node: ASTNode): ASTNode {
  return node.type === 'ObjectProperty' ? (node.value as ASTNode) : node
}

/** True for a method that calls hooks, or is what another file declares. */
function callsHooks(script: Script, member: ASTNode): boolean {
  const { j, root } = script
  const { body, value } = member as { body?: ASTNode; value?: ASTNode | null }
  const node = body ?? value ?? undefined
  const name = node && nameOfNode(node)
  const [declared] =
    name === undefined
      ? [node]
      : [
          ...root.find(j.FunctionDeclaration, { id: { name } }).nodes(),
          ...root.find(j.VariableDeclarator, { id: { name } }).nodes(),
        ]
  if (declared === undefined) return name !== undefined
  return /\buse[A-Z]\w*\(/.test(script.sourceOf(declared).replace(/^function \w+/, ''))
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

function isAbstract(node: ASTNode): boolean {
  return (node as { abstract?: boolean }).abstract === true
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
