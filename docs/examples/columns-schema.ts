import type {
  Denormalize,
  DenormalizeDelegate,
  EntityClass,
  NormalizeDelegate,
  PayloadKey,
  SchemaContract,
} from '@selfsame/core'

/** A table as some servers send it: the names once, then one array a row. */
interface ColumnsPayload {
  columns: string[]
  rows: unknown[][]
}

/**
 * Reads `{ columns: ['id', 'title'], rows: [[1, 'a'], [2, 'b']] }` as a list of
 * records.
 */
export class ColumnsSchema<
  E extends EntityClass<{ pk(): unknown }>,
> implements SchemaContract<Denormalize<E>[]> {
  readonly entity: E

  constructor(entity: E) {
    this.entity = entity
  }

  normalize(
    input: unknown,
    parent: unknown,
    key: PayloadKey,
    delegate: NormalizeDelegate,
  ): unknown {
    if (!isColumns(input))
      throw delegate.unexpected('an object with columns and rows', input)
    return input.rows.map((row, index) => {
      const record = Object.fromEntries(
        input.columns.map((column, position) => [column, row[position]]),
      )
      // Whatever visit() returns is kept as it is: a reference, whose record
      // may be stored later.
      return delegate.visit(this.entity, record, parent, key, index)
    })
  }

  denormalize(
    input: unknown,
    delegate: DenormalizeDelegate,
  ): Denormalize<E>[] | undefined {
    // members() leaves out what cannot be shown, and keeps the list's cost at
    // one copy for one changed record.
    return delegate.members(
      this.entity,
      input as readonly unknown[],
    ) as Denormalize<E>[]
  }
}

function isColumns(input: unknown): input is ColumnsPayload {
  return (
    typeof input === 'object' &&
    input !== null &&
    'columns' in input &&
    'rows' in input &&
    Array.isArray(input.columns) &&
    Array.isArray(input.rows)
  )
}
