import { vi } from 'vitest'

/** How long a test waits for what needs some real time. Vitest's second is too short for a busy machine. Unit: milliseconds. */
const timeout = 15_000

const { waitFor, waitUntil } = vi
vi.waitFor = (callback, options = {}) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout, ...options })
vi.waitUntil = (callback, options = {}) =>
  waitUntil(callback, typeof options === 'number' ? options : { timeout, ...options })
