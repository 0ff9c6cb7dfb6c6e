import { development } from '#development'
import * as errors from '../errors.js'
import type { StoreNormalizeDelegate } from '../schema/delegates.js'
import type { DenormalizeObject } from '../schema/denormalized.js'
import { definitionWithHome } from '../schema/home.js'
import { ObjectSchema } from '../schema/object.js'
import type { ListWriter } from '../store/store-lists.js'
import type { CollectionNode } from './collection-node.js'
import { countable, counter, toOthers } from './counter.js'
import { counting } from './counting.js'
import { collectionIn, findList, valueAt, withValueAt } from '../schema/page-schema.js'
import type { FieldPath } from '../schema/page-schema.js'
import type { DenormalizeDelegate, ListHome, ObjectShorthand, PayloadKey } from '../schema/schema.js'

/**
 * An object with a list and the number of all its records, of which the list may have the first pages only. The number follows
 * the list: it changes with each record that joins or leaves, and each response or page brings the server's own.
 *
 * @see specification 4.1, Totals
 * @example new Counted({ results: new schema.Collection([Todo]), count: 0 }, 'count')
 */
export class Counted<
  const Definition extends ObjectShorthand = ObjectShorthand,
> extends ObjectSchema<Definition> {
  /** The path of the number: field names from this object. @internal */
  declare readonly total: FieldPath
  /** The path of the list: field names from this object. @internal */
  declare readonly list: FieldPath

  /**
   * @param definition - the fields, with a Collection among them
   * @param total - the field with the number; several names for one in a nested object, such as `'meta', 'total'`
   * @throws {SelfsameError} in development `definition-invalid` without a Collection or a field
   */
  constructor(definition: Definition, ...total: FieldPath) {
    super(definition)
    this.total = total
    counting.by ??= counter
    this.list = findList(definition) ?? []
    if (development && (total.length === 0 || collectionIn(definition, this.list) === undefined)) {
      throw errors.definitionInvalid('Counted', [
        total.length === 0 ? 'received no name of a field.' : 'received no Collection to count.',
        "Write new Counted({ results: new schema.Collection([Todo]), count: 0 }, 'count').",
      ])
    }
  }

  /** @internal */
  override get parts(): unknown {
    return [this.definition, this.total]
  }

  /** Stores the number of records that the list does not have. */
  override normalize(
    input: unknown,
    parent: unknown,
    key: PayloadKey,
    delegate: StoreNormalizeDelegate,
  ): unknown {
    const given = valueAt(input, this.list)
    const { lists } = delegate
    const sent = valueAt(input, this.total)
    if (lists === undefined || typeof sent !== 'number' || !Array.isArray(given))
      return super.normalize(input, parent, key, delegate)
    lists.others = sent - given.length
    const result = super.normalize(input, parent, key, delegate)
    lists.others = undefined
    const node = valueAt(result, this.list) as CollectionNode
    return withValueAt(result, this.total, toOthers(lists as unknown as ListWriter, node, sent))
  }

  override denormalize(
    input: unknown,
    delegate: DenormalizeDelegate,
  ): DenormalizeObject<Definition> | undefined {
    const data = super.denormalize(input, delegate)
    const list = valueAt(data, this.list)
    const others = valueAt(input, this.total)
    // Without a store the list is its members, and the number is that of the response.
    const isStored = !Array.isArray(valueAt(input, this.list)) && typeof others === 'number'
    if (!isStored || !Array.isArray(list)) return data
    // A record that its class refuses is none of the list that is shown, but the server counts it.
    const { members } = valueAt(input, this.list) as CollectionNode
    return withValueAt(data, this.total, others + countable(members).length) as DenormalizeObject<Definition>
  }

  /** @internal */
  override withHome(home: ListHome, depth: number): unknown {
    const definition = definitionWithHome(this.definition, home, depth) as Definition
    if (definition === this.definition) return this
    return new Counted(definition, ...this.total)
  }
}
