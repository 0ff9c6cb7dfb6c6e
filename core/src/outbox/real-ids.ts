import { callsOf } from '../controller/calls.js'
import type { Controller } from '../controller/controller.js'
import { unpack } from '../storage/pack.js'
import type { Storable } from '../storage/row-storage.js'
import { UnnamedRecords } from '../store/optimistic/unnamed-records.js'
import { mapPackedTexts, temporaryIds } from './mutation-row.js'
import type { MutationRow } from './mutation-row.js'

/** The ids that the server gave to created records, by the temporary ones. */
export class RealIds {
  readonly #controller: Controller
  readonly #ids = new Map<string, Storable>()

  constructor(controller: Controller) {
    this.#controller = controller
  }

  clear(): void {
    this.#ids.clear()
  }

  /** Reads the id that an answer in this tab gave. @returns `undefined` if it gave none */
  note(temporaryId: string): string | number | undefined {
    const real = callsOf(this.#controller).store.unnamed?.realIdOf(temporaryId)
    if (typeof real !== 'string' && typeof real !== 'number') return undefined
    this.#ids.set(temporaryId, real)
    return real
  }

  /** Another tab, or an earlier visit, was told the id of a created record. What names the record is sent with it. */
  learn(temporaryId: string, real: string | number): void {
    if (this.#ids.has(temporaryId)) return
    this.#ids.set(temporaryId, real)
    const { store } = callsOf(this.#controller)
    const unnamed = (store.unnamed ??= new UnnamedRecords())
    unnamed.name(temporaryId, real)
  }

  /** A text with real ids in place of temporary ones. */
  renamed(text: string): string {
    return text.replace(temporaryIds, (id) => {
      const real = this.#ids.get(id)
      return real === undefined ? id : String(real)
    })
  }

  /** The arguments of a mutation that was written down. @throws if they cannot be read */
  argsOf({ args }: MutationRow): readonly unknown[] {
    const rename = (text: string): Storable => this.#ids.get(text) ?? this.renamed(text)
    const named = this.#ids.size === 0 ? args : mapPackedTexts(args, rename)
    const found = unpack(named)
    if (!Array.isArray(found)) throw new TypeError('It has no arguments.')
    return found as readonly unknown[]
  }
}
