import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type { ConformanceMeta } from './suite.js'
import { frameworks } from './turn.js'

/** The outcome of one scenario with one driver. */
type Outcome = 'pass' | 'gap' | 'FAIL'

const notRun = '–'

/**
 * Prints a table of the conformance suite, with scenarios as rows and drivers as columns, once for each environment.
 * `gap` is a scenario that the driver is known to fail; if it passes, the outcome is `FAIL`. `–`: the scenario is not marked for that
 * environment. Then it names the tests that passed by their second try only, and the turn of the run, if it has one.
 *
 * @example vitest run --project conformance --project browser --reporter=default --reporter=./conformance/src/table-reporter.ts
 */
export default class TableReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const table = new Table()
    const second: string[] = []
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        if (test.diagnostic()?.flaky === true) second.push(textOfRepeated(test))
        const meta = test.meta().conformance
        if (meta !== undefined) table.add(module.project.name, meta, outcomeOf(test, meta))
      }
    }
    const text = table.toString()
    // Written without colours, which Vitest adds for its own reporters, because a log needs plain text too.
    if (text !== '') process.stdout.write(`\n${text}\n`)
    for (const each of second) process.stdout.write(`\nPassed by the second try only: ${each}\n`)
    const turn = modules
      .map(({ project }) => project.getProvidedContext().turn)
      .find((of) => of !== undefined)
    if (turn !== undefined)
      process.stdout.write(`\nIt was the turn of ${frameworks[turn]}. Again: TURN=${turn} npm test\n`)
  }
}

function textOfRepeated(test: TestCase): string {
  const [error] = test.result().errors ?? []
  return `${test.module.project.name}, ${test.fullName}${error === undefined ? '' : `\n  ${error.message}`}`
}

function outcomeOf(test: TestCase, { gap }: ConformanceMeta): Outcome {
  if (test.result().state !== 'passed') return 'FAIL'
  return gap === undefined ? 'pass' : 'gap'
}

/** Outcomes by scenario and column. A column is a driver in an environment. */
class Table {
  readonly #rows = new Map<string, Map<string, Outcome>>()
  /** The drivers of each environment, in order of appearance. */
  readonly #places = new Map<string, Set<string>>()
  readonly #gaps = new Map<string, string>()

  add(project: string, { driver, scenario, gap }: ConformanceMeta, outcome: Outcome): void {
    const place = placeOf(project)
    const drivers = this.#places.get(place) ?? new Set()
    this.#places.set(place, drivers.add(driver))
    const row = this.#rows.get(scenario) ?? new Map<string, Outcome>()
    this.#rows.set(scenario, row.set(`${place} ${driver}`, outcome))
    if (gap !== undefined) this.#gaps.set(`${driver}, ${scenario}`, gap)
  }

  toString(): string {
    if (this.#rows.size === 0) return ''
    const columns = [...this.#places]
      .sort(byPlace)
      .flatMap(([place, drivers]) =>
        [...drivers].sort().map((driver) => ({ place, driver, key: `${place} ${driver}` })),
      )
    const lines = [
      ['Scenario', ...columns.map(({ place }) => place)],
      ['', ...columns.map(({ driver }) => driver)],
      ...Array.from(this.#rows, ([scenario, row]) =>
        [scenario].concat(columns.map(({ key }) => row.get(key) ?? notRun)),
      ),
      ['passed', ...columns.map(({ key }) => this.#countOf(key))],
    ]
    const gaps = [...this.#gaps].map(([where, cause]) => `gap: ${where}: ${cause}`)
    return [...align(lines), ...gaps].join('\n')
  }

  #countOf(column: string): string {
    const outcomes = [...this.#rows.values()].flatMap((row) => row.get(column) ?? [])
    return `${outcomes.filter((outcome) => outcome === 'pass').length}/${outcomes.length}`
  }
}

/** The environment of a project's tests. */
function placeOf(project: string): string {
  return project.startsWith('browser') ? 'chromium' : 'happy-dom'
}

/** Sorts the emulated DOM first, because it always runs. */
function byPlace([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? 1 : -1
}

function align(lines: readonly (readonly string[])[]): string[] {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
