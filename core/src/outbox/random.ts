/** A text of eight characters. */
export function randomText(): string {
  return Math.random().toString(36).slice(2, 10).padEnd(8, '0')
}

/** An idempotency key. */
export function newKey(): string {
  const { crypto } = globalThis as { crypto?: Partial<Crypto> }
  return crypto?.randomUUID?.() ?? `${randomText()}-${randomText()}-${randomText()}`
}
