import { describe, expect, test } from 'vitest'
import { Session } from './random-session.js'
import { listings, surroundings, taskHooks } from './task-app.js'
import type { MountedTaskApp, Style, TaskApp } from './task-app.js'

const seed = Number(process.env['PROPERTY_SEED'] ?? 20261126)
const runs = Number(process.env['RANDOM_USES'] ?? listings.length)
/** Repeats a single run. */
const only = process.env['RANDOM_USE']
const stepsOfRun = 60

/** Where a list of summaries that is fetched again would have to tell of owners: what polls, and what forgets that a mutation was sent. */
const withoutOwners = new Set<Style['surroundings']>(['polled', 'kept', 'kept, tabs'])

/** `true` if an application is told in the end what it shows. */
function isTold(listing: Style['listing'], around: Style['surroundings']): boolean {
  // Of a list in pages, a refetch of the first one does not tell what changed in another.
  if (listing === 'pages' || listing === 'ordered pages') return false
  return listing !== 'summaries' || !withoutOwners.has(around)
}

/** After anything in any order the screen shows what the server has. */
export function describeUsedAtRandom(mount: (app: TaskApp) => Promise<MountedTaskApp>): void {
  /** @returns what is wrong in the end, and what happened; `undefined` if all is right */
  async function use(style: Style, steps: readonly number[]): Promise<string | undefined> {
    const session = new Session(style, mount)
    const story = (wrong: string) => `${wrong}\n${session.log.join('\n')}`
    try {
      await session.open()
      for (const step of steps) await session.step(step)
      await session.finish()

      const [wrong] = session.compare()

      return wrong && story(wrong)
    } catch (error) {
      return story(String(error))
    } finally {
      await session.end()
    }
  }

  /** Leaves steps out as long as something is still wrong. */
  async function shorten(style: Style, all: readonly number[], found: string): Promise<string> {
    let [steps, shortest] = [all, found]
    for (let size = Math.ceil(all.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let from = 0; from < steps.length;) {
        const fewer = steps.filter((_, index) => index < from || index >= from + size)
        const wrong = await use(style, fewer)
        if (wrong === undefined) from += size
        else [steps, shortest] = [fewer, wrong]
      }
    }
    return shortest
  }

  const styles = taskHooks.flatMap((hook) =>
    [false, true].flatMap((areAlone) => [false, true].map((isEarly) => ({ hook, areAlone, isEarly }))),
  )
  describe.each(styles)(
    'an application whose items read by $hook, in boundaries of their own: $areAlone, optimistic: $isEarly',
    (fixed) => {
      const chosen = only === undefined ? Array.from({ length: runs }, (_, run) => run) : [Number(only)]
      test.each(chosen)(
        `shows what the server has, however it is used (PROPERTY_SEED=${seed} RANDOM_USE=%i)`,
        async (run) => {
          const listing = listings[run % listings.length] as Style['listing']
          // The few runs of each style have all surroundings among them.
          const turn = Math.floor(run / listings.length) + styles.indexOf(fixed)
          const around = surroundings[turn % surroundings.length] as Style['surroundings']
          const style: Style = { ...fixed, listing, surroundings: isTold(listing, around) ? around : 'alone' }
          const steps = Array.from(
            { length: stepsOfRun },
            (_, step) => (seed * 1000 + run) * stepsOfRun + step,
          )
          const wrong = await use(style, steps)
          expect(wrong === undefined ? 'right' : await shorten(style, steps, wrong)).toBe('right')
        },
      )
    },
  )
}
