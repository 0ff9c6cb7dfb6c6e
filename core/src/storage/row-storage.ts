/**
 * A value that every storage can hold: what JSON can, and bytes. Rows are never changed in place.
 */
export type Storable =
  | null
  | boolean
  | number
  | string
  | Uint8Array
  | readonly Storable[]
  | { readonly [name: string]: Storable | undefined }

/** A row and its key. */
export type StoredRow = readonly [key: string, row: Storable]

/**
 * Where `outbox()` and `persist()` keep their rows: four functions over rows with keys. Each rejects if the storage cannot
 * be used; then the rows are kept in memory.
 *
 * @example
 * // React Native, with @react-native-async-storage/async-storage
 * const storage: RowStorage = textStorage({
 *   keys: () => AsyncStorage.getAllKeys(),
 *   read: async (keys) => (await AsyncStorage.multiGet(keys)).map(([, text]) => text),
 *   write: async (rows) => {
 *     await AsyncStorage.multiRemove(rows.flatMap(([key, text]) => (text === null ? [key] : [])))
 *     await AsyncStorage.multiSet(rows.flatMap(([key, text]) => (text === null ? [] : [[key, text]])))
 *   },
 * })
 */
export interface RowStorage {
  /**
   * Reads the rows whose keys begin with a text.
   *
   * @param prefix - the beginning of the keys
   * @param after - only the rows whose keys come after this one @default from the first
   * @param limit - the highest count of rows @default all
   * @returns the rows in the order of their keys, which is that of their UTF-16 code units
   */
  list(prefix: string, after?: string, limit?: number): Promise<readonly StoredRow[]>
  /** Reads rows. @returns the rows in the order of the keys; `undefined` for one that is not there */
  read(keys: readonly string[]): Promise<readonly (Storable | undefined)[]>
  /**
   * Writes rows: all of them or none.
   *
   * @param rows - `undefined` in place of a row deletes it
   * @param isStrict - `true` resolves when the rows outlast a loss of power @default false
   */
  write(
    rows: readonly (readonly [key: string, row: Storable | undefined])[],
    isStrict?: boolean,
  ): Promise<void>
  /**
   * Deletes the rows whose keys begin with a text, without reading them. A page that is left has time for one such call.
   *
   * @default they are listed and deleted
   */
  clear?(prefix: string): Promise<void>
  /** Frees the storage. Later calls may open it again. */
  close(): void
}
