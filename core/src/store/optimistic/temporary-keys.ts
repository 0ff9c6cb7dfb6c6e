import type { Fields } from '../../schema/fields.js'
import { setOwn } from '../../util/plain.js'

/** The real primary keys that replaced temporary ones, of one entity key. */
export class TemporaryKeys {
  /** By temporary primary key: the real one, and the fields that contain it. */
  readonly #replaced = new Map<string, { readonly pk: string; readonly fields: Fields }>()

  /** Maps a temporary primary key to the real one. @param fields - fields that contain the real key */
  replace(temporary: string, pk: string, fields: Fields): void {
    this.#replaced.set(temporary, { pk, fields })
  }

  /** Removes the mapping of a primary key, because the server sent a record with it. */
  forget(pk: string): void {
    this.#replaced.delete(pk)
  }

  /** The primary key that replaced a temporary one; `undefined` for other keys. */
  real(pk: string): string | undefined {
    const first = this.#replaced.get(pk)?.pk
    // The first result may be a temporary key too: a layer that ran again had computed another one.
    return first === undefined ? undefined : (this.#replaced.get(first)?.pk ?? first)
  }

  /**
   * Replaces a temporary primary key in fields by the real one.
   *
   * @param known - the stored fields of the record
   */
  withRealKey(fields: Fields, temporary: string, pk: string, known: Fields | undefined): Fields {
    const real = known ?? this.#replaced.get(temporary)?.fields
    const renamed: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(fields)) {
      const key = real?.[name]
      // An unrelated field may equal the temporary primary key by chance.
      const isKey = String(value) === temporary && (key === undefined || String(key) === pk)
      if (!isKey) setOwn(renamed, name, value)
      else if (key !== undefined) setOwn(renamed, name, key)
    }
    return renamed
  }
}
