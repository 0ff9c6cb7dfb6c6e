type Method = (...args: unknown[]) => unknown

/**
 * Lets methods of a class be called without the object that they were taken from. Each is bound when an object is first
 * asked for it, so that making one costs nothing, and is the same function each time.
 */
export function bindMethods<Target extends object>(
  prototype: Target,
  names: readonly (keyof Target & string)[],
): void {
  for (const name of names) {
    const method = prototype[name] as Method
    Object.defineProperty(prototype, name, {
      configurable: true,
      get(this: object | undefined): Method {
        // Asked by `super`, or of the class itself, as tools for tests do.
        if (this === undefined || holderOf(this, name) !== prototype) return method
        const value = method.bind(this)
        Object.defineProperty(this, name, { value, configurable: true, writable: true })
        return value
      },
      // As if it were a method.
      set(this: object, value: unknown) {
        Object.defineProperty(this, name, { value, configurable: true, writable: true, enumerable: true })
      },
    })
  }
}

/** The prototype whose member an object has; `undefined` for one of its own. */
function holderOf(target: object, name: string): unknown {
  if (Object.hasOwn(target, name)) return undefined
  let holder = Object.getPrototypeOf(target) as object | null
  while (holder !== null && !Object.hasOwn(holder, name))
    holder = Object.getPrototypeOf(holder) as object | null
  return holder
}
