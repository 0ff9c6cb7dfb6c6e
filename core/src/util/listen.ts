/** Listens for events of the platform, if it has events. @returns a function that removes the listener */
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
