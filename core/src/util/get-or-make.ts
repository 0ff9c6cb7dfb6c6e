interface Cache<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

/** Returns the value of a key in a Map or WeakMap; makes and stores one if there is none. */
export function getOrMake<Key, Value>(cache: Cache<Key, Value>, key: Key, make: () => Value): Value {
  let value = cache.get(key)
  if (value === undefined) cache.set(key, (value = make()))
  return value
}
