/** Listens to events of the platform, where it has any. @returns a function that ends it */
export function listen(
  target: Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>> | undefined,
  events: readonly string[],
  listener: () => void,
): () => void {
  for (const event of events) target?.addEventListener?.(event, listener)
  return () => {
    for (const event of events) target?.removeEventListener?.(event, listener)
  }
}
