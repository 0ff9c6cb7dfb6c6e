/** The fields of a normalized record: nested records are references. */
export type Fields = Readonly<Record<string, unknown>>

/** Records by entity key and primary key. Nested records are primary keys. */
export type EntityTables = { readonly [entityKey: string]: { readonly [pk: string]: Fields } }
