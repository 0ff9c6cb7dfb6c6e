import type { Page } from 'playwright'

/** Runs in the page before anything else, as an init script: sums up the layout shifts without recent input. */
export function watchShifts(): void {
  const page = globalThis as unknown as Watched
  page.shift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number
      hadRecentInput: boolean
    })[]) {
      if (!entry.hadRecentInput) page.shift += entry.value
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** The sum so far. */
export function shiftOf(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as Watched).shift)
}

interface Watched {
  shift: number
}
