/** A task of more milliseconds keeps a user waiting. */
const longMs = 50

/** Counts frames, and measures tasks. */
export class Meter {
  /** Milliseconds, of those tasks that the page measures itself. */
  longest = 0
  longTasks = 0
  #frames: number[] = []

  constructor() {
    // The platform tells of each task of more than 50 ms, whatever it did.
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) this.#note(duration)
    }).observe({ entryTypes: ['longtask'] })
    const frame = (now: number) => {
      this.#frames = [...this.#frames.filter((at) => now - at < 1000), now]
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  }

  get framesInSecond(): number {
    return this.#frames.length
  }

  /** Runs a step and measures it. */
  measure(step: () => void): void {
    const start = performance.now()
    step()
    const ms = performance.now() - start
    if (ms <= longMs) this.longest = Math.max(this.longest, ms)
  }

  /** Forgets what was before. */
  begin(): void {
    this.longest = 0
    this.longTasks = 0
  }

  #note(ms: number): void {
    this.longTasks++
    this.longest = Math.max(this.longest, ms)
  }
}
