import { expect } from 'vitest'

// Unmounts the components of Svelte after each test. The tests of the other bindings have none, and would load Svelte for it.
if (!/bindings\/(react|vue)\/|core\//.test(expect.getState().testPath ?? ''))
  await import('@testing-library/svelte/vitest')
