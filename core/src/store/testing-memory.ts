declare const gc: (options?: { type: 'minor' }) => void

/**
 * Writes 1,000 times, and collects what is young after each 50.
 *
 * @param write - writes a number of times
 * @returns the bytes that are held in the end, more than after the first writes
 */
export function heldAfter(write: (count: number) => void): number {
  write(50)
  gc()
  const { heapUsed: before } = process.memoryUsage()
  for (let round = 0; round < 20; round++) {
    write(50)
    gc({ type: 'minor' })
    gc({ type: 'minor' })
  }
  return process.memoryUsage().heapUsed - before
}
