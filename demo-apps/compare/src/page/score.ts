import type { Work } from '../counts.js'
import { libraries } from '../libraries.js'
import type { Reporter } from '../script/run.js'
import { elementById } from './element-by-id.js'

const numbers = new Intl.NumberFormat('en')

const measures = ['requests', 'renders', 'bytes'] as const

/** Shows what both sides have done so far, and what they did in each step of the script. */
export interface Score extends Reporter {
  /** Empties the rows of the steps. */
  clear(): void
  /** No step is under way any more. */
  end(): void
}

export function startScore(): Score {
  for (const { counts } of libraries) counts.subscribe(showTotals)
  showTotals()
  const table = elementById('steps')
  const rowOf = (title: string) => table.querySelector(`[data-step="${title}"]`)
  const clearCurrent = () => table.querySelector('[aria-current]')?.removeAttribute('aria-current')
  return {
    begin(title) {
      clearCurrent()
      const row = rowOf(title)
      row?.setAttribute('aria-current', 'step')
      scrollIntoTable(row)
    },
    add(title, { library }, work) {
      for (const measure of ['requests', 'renders'] as const)
        write(rowOf(title)?.querySelector(`[data-of="${measure} ${library.id}"]`), work[measure])
    },
    clear() {
      clearCurrent()
      for (const cell of table.querySelectorAll('[data-of]')) cell.textContent = '–'
    },
    end: clearCurrent,
  }
}

/** Where the table is a box that scrolls, it does so by itself, and the page stays. */
function scrollIntoTable(row: Element | null): void {
  const box = elementById('steps').parentElement
  if (box === null || !(row instanceof HTMLElement)) return
  box.scrollTop = row.offsetTop - box.clientHeight / 2
}

function showTotals(): void {
  const works = libraries.map(({ id, counts }) => [id, counts.work] as const)
  for (const measure of measures) {
    const highest = Math.max(1, ...works.map(([, work]) => work[measure]))
    for (const [id, work] of works) {
      const total = elementById(`${measure}-${id}`)
      write(total, toShown(measure, work))
      total.parentElement?.style.setProperty(`--${id}`, String(work[measure] / highest))
    }
  }
}

function toShown(measure: keyof Work, work: Work): string {
  return measure === 'bytes'
    ? `${numbers.format(Math.round(work.bytes / 1000))} kB`
    : numbers.format(work[measure])
}

function write(element: Element | null | undefined, value: string | number): void {
  if (element && element.textContent !== String(value)) element.textContent = String(value)
}
