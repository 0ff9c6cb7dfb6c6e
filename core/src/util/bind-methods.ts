type Method = (...args: unknown[]) => unknown

/**
 * Binds all methods of a class to their object, so that they can be destructured. A method is bound when it is first read, so
 * that creating an object costs nothing, and is the same function each time.
 */
export function bindMethods(prototype: object): void {
  for (const name of Object.getOwnPropertyNames(prototype)) {
    if (name === 'constructor') continue
    const method = (prototype as Readonly<Record<string, Method>>)[name] as Method
    Object.defineProperty(prototype, name, {
      configurable: true,
      get(this: object | undefined): Method {
        // Read by `super`, or from the prototype, as test tools do.
        if (this === undefined || holderOf(this, name) !== prototype) return method
        const value = method.bind(this)
        Object.defineProperty(this, name, { value, configurable: true, writable: true })
        return value
      },
      // An assignment replaces it, like any method.
      set(this: object, value: unknown) {
        Object.defineProperty(this, name, { value, configurable: true, writable: true, enumerable: true })
      },
    })
  }
}

/** Returns the prototype that has the member; `undefined` if it is an own member of the object. */
function holderOf(target: object, name: string): unknown {
  if (Object.hasOwn(target, name)) return undefined
  let holder = Object.getPrototypeOf(target) as object | null
  while (holder !== null && !Object.hasOwn(holder, name))
    holder = Object.getPrototypeOf(holder) as object | null
  return holder
}
