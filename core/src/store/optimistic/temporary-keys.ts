import type { Fields } from '../../schema/fields.js'
import { setOwn } from '../../util/plain.js'

/** Of one entity key, the records that stand for temporary ones. */
export class TemporaryKeys {
  /** By temporary primary key the real one, and the fields that it was known by. */
  readonly #replaced = new Map<string, { readonly pk: string; readonly fields: Fields }>()

  /** From now on a temporary primary key means the real one. @param fields - in which the real one is found */
  replace(temporary: string, pk: string, fields: Fields): void {
    this.#replaced.set(temporary, { pk, fields })
  }

  /** A primary key names a record of its own: a server knows one by it. */
  forget(pk: string): void {
    this.#replaced.delete(pk)
  }

  /** The primary key that stands for another; `undefined` for one that is not temporary. */
  real(pk: string): string | undefined {
    const first = this.#replaced.get(pk)?.pk
    // One that was given to a temporary record when it was computed again stands for that one.
    return first === undefined ? undefined : (this.#replaced.get(first)?.pk ?? first)
  }

  /**
   * Fields that name a record by its temporary primary key, with its real one.
   *
   * @param known - what is stored of the record
   */
  withRealKey(fields: Fields, temporary: string, pk: string, known: Fields | undefined): Fields {
    const real = known ?? this.#replaced.get(temporary)?.fields
    const renamed: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(fields)) {
      const key = real?.[name]
      // A number may be equal to the temporary primary key, and be none.
      const isKey = String(value) === temporary && (key === undefined || String(key) === pk)
      if (!isKey) setOwn(renamed, name, value)
      else if (key !== undefined) setOwn(renamed, name, key)
    }
    return renamed
  }
}
