import { errors } from '@selfsame/core/bindings'
import { getCurrentInstance, onBeforeUpdate, onMounted } from 'vue'

/**
 * Development only: warns if a plain argument is a copy of a prop, and the component is rendered with another value of it.
 * The copy was made in `setup()`, which runs once. A field of the same name and value as a prop counts as its copy.
 *
 * @param call - returns the call, for the message: `useSuspense(Todo.get)`
 */
export function watchPlainArgs(call: () => string, args: readonly unknown[]): void {
  const props = getCurrentInstance()?.props
  if (props === undefined) return
  const copied = args.flatMap((arg) => (isPlain(arg) ? Object.entries(arg) : []))
  const copies = copied.filter(([name, value]) => name in props && Object.is(props[name], value))
  if (copies.length === 0) return
  let hasWarned = false
  const look = () => {
    const changed = copies.find(([name, value]) => !Object.is(props[name], value))
    if (changed === undefined || hasWarned) return
    hasWarned = true
    const [name, value] = changed
    const called = call().replace(')', '')
    errors.warn(
      errors.readOnce(
        call(),
        `Its argument has ${name}: ${String(value)}, but the prop ${name} is now ${String(props[name])}.
  Pass a getter: ${called}, () => ({ ${name}: props.${name} }))`,
      ),
    )
  }
  onMounted(look)
  onBeforeUpdate(look)
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
