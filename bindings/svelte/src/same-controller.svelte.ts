import type { Controller } from '@selfsame/core'
import { development, errors } from '@selfsame/core/bindings'
import { untrack } from 'svelte'

/** Warns once of a provider that gets another Controller, which it does not read. Development only. */
export function expectSameController(read: () => Controller | undefined): void {
  if (!development) return
  const given = untrack(read)
  let hasWarned = false
  $effect(() => {
    if (read() === given || hasWarned) return
    hasWarned = true
    errors.warn(errors.readOnce('The prop `controller` of <DataProvider>', remedy))
  })
}

const remedy =
  'Create the Controller once, in a module. To replace it, put the provider into {#key controller}.'
