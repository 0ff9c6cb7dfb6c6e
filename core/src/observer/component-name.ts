/** So many frames lie between a component and its reader at most. */
const deepest = 40

/**
 * Returns the name of the component that is being rendered or set up: of its file in Vue and Svelte, of its function in
 * React. `undefined` where the platform tells no stack. Development only.
 *
 * @param stack - of V8, Firefox or Safari @default that of the caller
 */
export function componentName(stack = currentStack()): string | undefined {
  for (const line of stack.split('\n').slice(1)) {
    // Components of packages, such as a boundary, are around the reader.
    if (line.includes('node_modules')) continue
    // A module with runes, such as "todos.svelte.ts", is no component.
    const file = /[\\/]([\w.-]+)\.(?:vue|svelte)\b(?!\.[jt]s\b)/.exec(line)?.[1]
    if (file !== undefined) return file
    // "at Name (", "Name@": a function with a capital letter, which is no constructor and no method.
    const name = /^\s*at ([A-Z]\w*) \(/.exec(line)?.[1] ?? /^([A-Z]\w*)@/.exec(line)?.[1]
    if (name !== undefined) return name
  }
  return undefined
}

function currentStack(): string {
  const limited = Error as { stackTraceLimit?: number }
  const { stackTraceLimit } = limited
  limited.stackTraceLimit = deepest
  const { stack = '' } = new Error('for its stack')
  if (stackTraceLimit !== undefined) limited.stackTraceLimit = stackTraceLimit
  return stack
}
