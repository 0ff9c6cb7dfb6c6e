import { join, relative } from 'node:path'
import { expect } from 'vitest'

// Unmounts the components of Svelte after each test. The tests of the other bindings have none, and would load Svelte for it.
const file = relative(join(import.meta.dirname, '../..'), expect.getState().testPath ?? '')
if (!/^(bindings.(react|vue)|core)\b/.test(file)) await import('@testing-library/svelte/vitest')
