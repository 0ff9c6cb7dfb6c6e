import { isPlainObject, setOwn } from '../util/plain.js'
import type { Storable } from './row-storage.js'

/** The name that tells a packed value from an object of the user. */
const mark = '$'

/**
 * Takes a value apart, so that a storage can hold it: plain data, dates, maps, sets, big integers, bytes, `URLSearchParams`, files, blobs
 * and forms. Another object is taken as its own fields, as JSON would.
 *
 * The value is read before this returns, so the caller may change it afterwards; only the bytes of files are read later.
 *
 * @throws {TypeError} naming the place, for a value that cannot be taken apart: a stream, a function, a symbol, a cycle
 */
export function pack(value: unknown): Promise<Storable> {
  const bytes: Promise<void>[] = []
  const packed = packPart(value, { bytes, above: [], path: [] })
  return bytes.length === 0 ? Promise.resolve(packed) : Promise.all(bytes).then(() => packed)
}

/** Where a value is, and what is read of it later. */
interface Packing {
  readonly bytes: Promise<void>[]
  /** The objects that contain the value. */
  readonly above: object[]
  /** Their names in one another. */
  readonly path: (string | number)[]
}

function packPart(value: unknown, packing: Packing): Storable {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : tagged('number', String(value))
  if (value === undefined) return tagged('undefined')
  if (typeof value === 'bigint') return tagged('bigint', String(value))
  if (typeof value !== 'object') throw unusable(packing, `a ${typeof value}`)
  const { above } = packing
  if (above.includes(value)) throw unusable(packing, 'a value that contains itself')
  above.push(value)
  const packed = packObject(value, packing)
  above.pop()
  return packed
}

function packObject(value: object, packing: Packing): Storable {
  if (Array.isArray(value)) return packList(value, packing)
  if (isPlainObject(value)) return packFields(value, packing)
  if (value instanceof Date) return tagged('date', value.getTime())
  if (value instanceof Map) return tagged('map', packList(value, packing))
  if (value instanceof Set) return tagged('set', packList(value, packing))
  if (value instanceof URLSearchParams) return tagged('params', String(value))
  if (value instanceof URL) return tagged('url', String(value))
  if (typeof FormData !== 'undefined' && value instanceof FormData)
    return tagged('form', packList(value, packing))
  if (typeof Blob !== 'undefined' && value instanceof Blob) return packBlob(value, packing.bytes)
  if (value instanceof ArrayBuffer) return tagged('buffer', new Uint8Array(value.slice(0)))
  if (ArrayBuffer.isView(value)) {
    const copy = new Uint8Array(value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength))
    return value instanceof Uint8Array ? tagged('bytes', copy) : tagged('view', copy, value.constructor.name)
  }
  if (typeof ReadableStream !== 'undefined' && value instanceof ReadableStream)
    throw unusable(packing, 'a stream')
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON === 'function') return packPart(toJSON.call(value), packing)
  return packFields(value, packing, true)
}

function packList(values: Iterable<unknown>, packing: Packing): Storable[] {
  return Array.from(values, (value, index) => packAt(index, value, packing))
}

/** @param isInstance - `true` leaves out functions, as JSON does: an instance may have its methods as fields */
function packFields(value: object, packing: Packing, isInstance = false): Storable {
  const packed: Record<string, Storable> = {}
  let isMarked = false
  for (const name of Object.keys(value)) {
    const each = (value as Record<string, unknown>)[name]
    if (isInstance && typeof each === 'function') continue
    isMarked ||= name.startsWith(mark)
    setOwn(packed, name, packAt(name, each, packing))
  }
  // As pairs, so that no row has a field with such a name.
  return isMarked ? tagged('object', Object.entries(packed)) : packed
}

function packAt(name: string | number, value: unknown, packing: Packing): Storable {
  packing.path.push(name)
  const packed = packPart(value, packing)
  packing.path.pop()
  return packed
}

function packBlob(blob: Blob, bytes: Promise<void>[]): Storable {
  const { name, lastModified } = blob as Partial<File>
  const packed: { [mark]: 'blob' } & Record<string, Storable> = {
    [mark]: 'blob',
    bytes: null,
    type: blob.type,
    ...(typeof name === 'string' && { name, lastModified: lastModified ?? 0 }),
  }
  const fill = async () => {
    packed.bytes = new Uint8Array(await blob.arrayBuffer())
  }
  bytes.push(fill())
  return packed
}

function tagged(tag: string, value: Storable = null, of?: string): Storable {
  return { [mark]: tag, value, ...(of !== undefined && { of }) }
}

function unusable({ path }: Packing, what: string): TypeError {
  return new TypeError(`${path.length === 0 ? 'It' : path.join('.')} is ${what}, which cannot be stored.`)
}

/** Puts a packed value together again. @throws {TypeError} for a value that `pack` does not return */
export function unpack(packed: Storable | undefined): unknown {
  if (typeof packed !== 'object' || packed === null || packed instanceof Uint8Array) return packed
  if (Array.isArray(packed)) return packed.map(unpack)
  const { [mark]: tag, value } = packed as { readonly [name: string]: Storable | undefined }
  if (tag === undefined) return unpackFields(Object.entries(packed) as [string, Storable][])
  const list = () => unpack(value) as [string, unknown][]
  const data = value as Uint8Array<ArrayBuffer>
  switch (tag) {
    case 'undefined':
      return undefined
    case 'number':
      return Number(value)
    case 'bigint':
      return BigInt(value as string)
    case 'date':
      return new Date(value as number)
    case 'map':
      return new Map(list())
    case 'set':
      return new Set(unpack(value) as unknown[])
    case 'params':
      return new URLSearchParams(value as string)
    case 'url':
      return new URL(value as string)
    case 'form': {
      const form = new FormData()
      // A file keeps its own name.
      for (const [name, part] of list()) form.append(name, part as string)
      return form
    }
    case 'blob': {
      const { bytes, type, name, lastModified } = packed as unknown as {
        bytes: Uint8Array<ArrayBuffer>
        type: string
        name?: string
        lastModified?: number
      }
      if (name === undefined) return new Blob([bytes], { type })
      return new File([bytes], name, { type, lastModified: lastModified ?? 0 })
    }
    case 'buffer':
      return data.slice().buffer
    case 'bytes':
      return data.slice()
    case 'view': {
      const View = (globalThis as unknown as Record<string, new (buffer: ArrayBuffer) => unknown>)[
        String((packed as { of?: unknown }).of)
      ]
      if (View === undefined) throw new TypeError('It has bytes of an unknown kind.')
      return new View(data.slice().buffer)
    }
    case 'object':
      return unpackFields(value as [string, Storable][])
    default:
      throw new TypeError(`It has a part of the unknown kind "${String(tag)}".`)
  }
}

function unpackFields(packed: readonly (readonly [string, Storable])[]): object {
  const fields = {}
  for (const [name, part] of packed) setOwn(fields, name, unpack(part))
  return fields
}
