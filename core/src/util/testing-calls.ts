import { Session } from 'node:inspector'

/** Counts the calls of each function of the core, by its position: of those that are called so often at least. */
export function countCalls(run: () => void, least = 1): Map<string, number> {
  const session = new Session()
  session.connect()
  try {
    session.post('Profiler.enable')
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    session.post('Profiler.takePreciseCoverage')
    run()
    const calls = new Map<string, number>()
    session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
      for (const { url, functions } of result) {
        if (!url.includes('/core/src/') || /\.test\.|\/testing-/.test(url)) continue
        for (const { functionName, ranges } of functions) {
          const [range] = ranges
          // A function without a name is the transform of an import in tests: a build has none.
          if (functionName === '') continue
          if (range !== undefined && range.count >= least)
            calls.set(`${url}:${range.startOffset} ${functionName}`, range.count)
        }
      }
    })
    return calls
  } finally {
    session.disconnect()
  }
}

/** The calls of all functions. */
export function totalOf(calls: Map<string, number>): number {
  return [...calls.values()].reduce((sum, called) => sum + called, 0)
}
