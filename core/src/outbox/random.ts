import { ifGiven } from '../platform/platform.js'

/** A text of eight characters. */
export function randomText(): string {
  return Math.random().toString(36).slice(2, 10).padEnd(8, '0')
}

/** An idempotency key. */
export function newKey(): string {
  // A page without HTTPS has no `randomUUID`.
  return ifGiven(() => crypto.randomUUID()) ?? `${randomText()}-${randomText()}-${randomText()}`
}
