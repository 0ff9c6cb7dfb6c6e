import type { Work } from '../counts.js'
import { wait } from './act.js'
import type { Stage } from './stage.js'
import { groups, putBack, readEdited, type Step } from './steps.js'

/** What is told of a run. */
export interface Reporter {
  /** A step begins. */
  begin(title: string): void
  /** What a side did in a step. */
  add(title: string, stage: Stage, work: Work): void
}

/**
 * Uses both sides, step by step, and puts back what it has changed on the server.
 *
 * @throws if the sides show different articles after a step
 */
export async function runScript(stages: readonly Stage[], reporter: Reporter): Promise<void> {
  await putBack(undefined)
  const before = await readEdited()
  for (const { library } of stages) library.counts.reset()
  try {
    for (const group of groups) {
      const [step] = group
      if (group.length > 1) {
        for (const stage of stages) for (const each of group) await make(each, [stage], reporter)
      } else if (step !== undefined) await make(step, stages, reporter)
      compare(stages, step?.title)
    }
  } finally {
    for (const { side, library } of stages) {
      library.counts.isPaused = true
      const live = side.querySelector<HTMLInputElement>('[type=checkbox]')
      if (live?.checked) live.click()
    }
    await putBack(before)
    for (const { library } of stages) library.counts.isPaused = false
  }
}

async function make(
  { title, act, elsewhere, prepare }: Step,
  stages: readonly Stage[],
  reporter: Reporter,
): Promise<void> {
  reporter.begin(title)
  if (prepare !== undefined) for (const stage of stages) await uncounted(stage, prepare)
  const starts = stages.map(({ library }) => library.counts.work)
  await elsewhere?.()
  await Promise.all(
    stages.map(async (stage, index) => {
      await act(stage)
      const end = await settled(stage)
      reporter.add(title, stage, difference(end, starts[index] ?? end))
    }),
  )
}

async function uncounted(stage: Stage, prepare: (stage: Stage) => Promise<unknown>): Promise<void> {
  const { counts } = stage.library
  counts.isPaused = true
  await prepare(stage)
  await settled(stage)
  counts.isPaused = false
}

/** What a side has done, once no request is in flight and nothing is counted any more. */
async function settled({ library: { counts }, signal }: Stage): Promise<Work> {
  let work = counts.work
  let since = performance.now()
  while (performance.now() - since < 300) {
    await wait(30, signal)
    if (work === counts.work && counts.underWay === 0) continue
    work = counts.work
    since = performance.now()
  }
  return work
}

function difference(end: Work, start: Work): Work {
  return {
    requests: end.requests - start.requests,
    renders: end.renders - start.renders,
    bytes: end.bytes - start.bytes,
  }
}

function compare(stages: readonly Stage[], title = ''): void {
  const shown = stages.map(({ side }) =>
    [...side.querySelectorAll('.articles, h3')].map(({ textContent }) => textContent).join('\n'),
  )
  if (new Set(shown).size > 1) throw new Error(`After “${title}” the sides show different articles.`)
}
