import { docOf } from './source-file.js'
import type { SourceFile } from './source-file.js'

/** A function that the files of calls import from the base. */
interface Helper {
  readonly doc: string
  readonly code: string
  readonly needs?: readonly string[]
}

const init = '(this: RestEndpoint, body?: unknown): RequestInit | Promise<RequestInit>'

/** How requests are written, where core does not know it: as the description tells. */
const helpers: Readonly<Record<string, Helper>> = {
  dayOf: {
    doc: 'A date without its time: `2026-07-01`.',
    code: `const dayOf = (date: Date): string => date.toISOString().slice(0, 10)`,
  },
  textOf: {
    doc: 'A value in a text.',
    code: `const textOf = (value: unknown, isDay = false): string =>
  value instanceof Date
    ? isDay ? dayOf(value) : value.toISOString()
    : typeof value === 'object' ? JSON.stringify(value) : String(value)`,
    needs: ['dayOf'],
  },
  styled: {
    doc: 'Writes params by their styles. A separator stands between the values of a list; `spread` gives each part of an object its own param.',
    code: `export const styled = (styles: Readonly<Record<string, string>>) => (params: Readonly<Record<string, unknown>>): string => {
  const address: string[] = []
  const headers: string[] = []
  for (const name of Object.keys(params).sort()) {
    const style = Object.hasOwn(styles, name) ? styles[name] : undefined
    const text = paramText(name, params[name], style)
    if (text !== '') (style?.startsWith('header') === true ? headers : address).push(text)
  }
  return [address.join('&'), ...(headers.length === 0 ? [] : [headers.join('&')])].join('#')
}`,
    needs: ['paramText'],
  },
  paramText: {
    doc: 'One param, as a part of the address.',
    code: `function paramText(name: string, value: unknown, style = ''): string {
  if (value === undefined || value === null) return ''
  const plain = (sent: unknown) => ApiEndpoint.prototype.searchToString({ [name]: sent })
  const pair = (text: string) => \`\${encodeURIComponent(name)}=\${text}\`
  const isDay = style.endsWith('date')
  const list = Array.isArray(value) ? (value as readonly unknown[]) : undefined
  const fields = list === undefined && typeof value === 'object' && !(value instanceof Date) ? Object.entries(value) : undefined
  if (style.endsWith('json')) return pair(encodeURIComponent(JSON.stringify(value)))
  if (style === 'date') return plain((list ?? [value]).map((item) => textOf(item, true)))
  if (style === 'spread') return fields === undefined ? plain(value) : ApiEndpoint.prototype.searchToString(Object.fromEntries(fields))
  const parts = list ?? fields?.flat()
  if (style.startsWith('header')) {
    const exploded = style === 'header explode' ? fields?.map(([field, inner]) => \`\${field}=\${textOf(inner)}\`) : undefined
    return pair(encodeURIComponent((exploded ?? parts ?? [value]).map((item) => textOf(item, isDay)).join(',')))
  }
  if (style === '' || parts === undefined) return plain(value)
  const separator = style === ',' ? style : encodeURIComponent(style)
  return parts.length === 0 ? '' : pair(parts.map((item) => encodeURIComponent(textOf(item))).join(separator))
}`,
    needs: ['textOf'],
  },
  joinedPath: {
    doc: 'Writes the lists in these params of the path as one text, with commas.',
    code: `export const joinedPath = (...names: readonly string[]) =>
  function (this: RestEndpoint, ...[params, ...rest]: readonly unknown[]): string {
    const given = { ...(params as Readonly<Record<string, unknown>>) }
    const lists = names.flatMap((name, at) => {
      const value = given[name]
      if (!Array.isArray(value) || value.length === 0) return []
      given[name] = \`~list\${at}~\`
      return [[\`~list\${at}~\`, encodeURIComponent(value.map((item) => textOf(item)).join(','))] as const]
    })
    const url = ApiEndpoint.prototype.url.apply(this, [given, ...rest] as never)
    return lists.reduce((filled, [mark, text]) => filled.replace(mark, () => text), url)
  }`,
    needs: ['textOf'],
  },
  asJson: {
    doc: 'Sends a body as JSON, with the dates in these fields as days.',
    code: `export const asJson = (...days: readonly string[]) =>
  function ${init} {
    return ApiEndpoint.prototype.getRequestInit.call(this, withDays(body, days))
  }`,
    needs: ['withDays'],
  },
  withDays: {
    doc: 'A copy in which the dates of some fields are days.',
    code: `function withDays(value: unknown, days: readonly string[], field = ''): unknown {
  if (value instanceof Date) return days.includes(field) ? dayOf(value) : value
  if (Array.isArray(value)) return value.map((item) => withDays(item, days, field))
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withDays(inner, days, name)]))
}`,
    needs: ['dayOf'],
  },
  ofType: {
    doc: 'Sends a body with this content type.',
    code: `export const ofType = (type: string) =>
  function (this: RestEndpoint, headers: Readonly<Record<string, string>>): HeadersInit | Promise<HeadersInit> {
    return ApiEndpoint.prototype.getHeaders.call(this, { ...headers, 'Content-Type': type })
  }`,
  },
  asForm: {
    doc: 'Sends a body as a form, which may have files.',
    code: `export function asForm${init} {
  const form = body instanceof FormData ? body : new FormData()
  for (const [name, value] of form === body ? [] : Object.entries(body ?? {}))
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === undefined || item === null) continue
      if (item instanceof Blob) form.append(name, item)
      else if (item instanceof Date) form.append(name, item.toISOString())
      else form.append(name, typeof item === 'object' ? JSON.stringify(item) : String(item))
    }
  return ApiEndpoint.prototype.getRequestInit.call(this, form)
}`,
  },
  asParts: {
    doc: 'Sends a body as a form, its fields with these content types; `date` is a day.',
    code: `export const asParts = (types: Readonly<Record<string, string>>) =>
  function ${init} {
    if (body instanceof FormData) return ApiEndpoint.prototype.getRequestInit.call(this, body)
    const parts: FormPart[] = []
    for (const [name, value] of Object.entries(body ?? {}))
      for (const item of Array.isArray(value) ? value : [value])
        if (item !== undefined && item !== null) parts.push(partOf(name, item, Object.hasOwn(types, name) ? types[name] : undefined))
    return ApiEndpoint.prototype.getRequestInit.call(this, formOf(parts))
  }`,
    needs: ['FormPart', 'partOf', 'formOf'],
  },
  FormPart: {
    doc: 'A part of a form; a text may have a content type.',
    code: `interface FormPart {
  readonly name: string
  readonly value: string | Blob
  readonly type?: string
}`,
  },
  partOf: {
    doc: 'A file keeps its own type.',
    code: `function partOf(name: string, item: unknown, type?: string): FormPart {
  if (item instanceof Blob) {
    if (type === undefined || item.type !== '') return { name, value: item }
    return { name, value: item instanceof File ? new File([item], item.name, { type }) : new Blob([item], { type }) }
  }
  return type === undefined || type === 'date' ? { name, value: textOf(item, type === 'date') } : { name, value: textOf(item), type }
}`,
    needs: ['FormPart', 'textOf'],
  },
  formOf: {
    doc: 'No `FormData` has a text with a content type: that is written by hand (RFC 7578).',
    code: `function formOf(parts: readonly FormPart[]): FormData | Blob {
  if (parts.every(({ type }) => type === undefined)) {
    const form = new FormData()
    for (const { name, value } of parts) form.append(name, value)
    return form
  }
  const boundary = \`form-\${Math.random().toString(36).slice(2)}\${Math.random().toString(36).slice(2)}\`
  const quoted = (text: string) => \`"\${text.replace(/["\\r\\n]/g, encodeURIComponent)}"\`
  const written = parts.flatMap(({ name, value, type }) => {
    const file = value instanceof Blob ? \`; filename=\${quoted(value instanceof File ? value.name : 'blob')}\` : ''
    const sent = type ?? (value instanceof Blob ? value.type || 'application/octet-stream' : undefined)
    const head = \`--\${boundary}\\r\\nContent-Disposition: form-data; name=\${quoted(name)}\${file}\\r\\n\`
    return [head, sent === undefined ? '\\r\\n' : \`Content-Type: \${sent}\\r\\n\\r\\n\`, value, '\\r\\n']
  })
  return new Blob([...written, \`--\${boundary}--\\r\\n\`], { type: \`multipart/form-data; boundary=\${boundary}\` })
}`,
    needs: ['FormPart'],
  },
  asUrlEncoded: {
    doc: 'Sends a body as a form in one line of text.',
    code: `export function asUrlEncoded${init} {
  const isEncoded = body instanceof URLSearchParams || body === undefined
  const form = isEncoded ? body : new URLSearchParams(this.searchToString({ ...(body as object) }))
  return ApiEndpoint.prototype.getRequestInit.call(this, form)
}`,
  },
  asStyledForm: {
    doc: 'Sends a body as a form in one line of text, its fields by their styles.',
    code: `export const asStyledForm = (styles: Readonly<Record<string, string>>) =>
  function ${init} {
    const isEncoded = body instanceof URLSearchParams || body === undefined
    const form = isEncoded ? body : new URLSearchParams(styled(styles)({ ...(body as object) }))
    return ApiEndpoint.prototype.getRequestInit.call(this, form)
  }`,
    needs: ['styled'],
  },
}

/** Writes the helpers that are used, and those that they use. */
export function printRequestHelpers(file: SourceFile, used: ReadonlySet<string>): void {
  const needed = new Set<string>()
  const need = (name: string): void => {
    const helper = helpers[name]
    if (helper === undefined || needed.has(name)) return
    for (const other of helper.needs ?? []) need(other)
    needed.add(name)
  }
  for (const name of Object.keys(helpers)) if (used.has(name)) need(name)
  for (const name of needed) {
    const { doc = '', code = '' } = helpers[name] ?? {}
    file.add(`${docOf([doc])}${code}`)
  }
}
