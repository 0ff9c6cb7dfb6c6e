/** The fields of a record as it was taken apart: nested records are references. */
export type Fields = Readonly<Record<string, unknown>>

/** Records by entity key and primary key, nested ones as primary keys. */
export type EntityTables = { readonly [entityKey: string]: { readonly [pk: string]: Fields } }
