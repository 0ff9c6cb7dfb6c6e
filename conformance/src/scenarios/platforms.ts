import { development } from '@selfsame/core/bindings'
import { memoryStorage } from '@selfsame/core/storage'
import type { RowStorage } from '@selfsame/core/storage'
import { expect, onTestFinished } from 'vitest'
import { BrowserLocks } from '../browser-tabs.js'
import { dueTimers } from '../next-task.js'
import { refusals, refuse, subjectOf, toldOf } from '../refusals.js'
import type { Entry, Refusal } from '../refusals.js'
import { scenario } from '../suite.js'
import type { Stage } from '../suite.js'

/** Options of the entries that name a part of the platform. What they leave out is that of the platform. */
export interface Given {
  readonly storage?: RowStorage
  readonly locks?: null
  readonly channel?: null
}

/** What a scenario with these entries needs. */
interface Needs {
  /** The entries that it uses. */
  readonly entries: readonly Entry[]
  /** `true` if it brings its own storage, such as one that outlasts a reload. */
  readonly hasStorage?: boolean
}

/** Each part that one of the entries uses, in the ways in which it is known to be away. */
const refused = refusals.filter(({ part, how }) =>
  [
    'navigator.locks: null',
    'navigator.locks: access throws',
    'navigator.locks: use throws',
    'navigator.locks: use rejects',
    'indexedDB: missing',
    'indexedDB: access throws',
    'indexedDB: use throws',
    'indexedDB: use fails',
    'BroadcastChannel: missing',
    'BroadcastChannel: use throws',
    'localStorage: access throws',
    'crypto.randomUUID: missing',
  ].includes(`${part}: ${how}`),
)

/** Runs on the emulated DOM with locks, less one part of it; on the emulated DOM as it is without a `refusal`. */
async function runWithout(
  refusal: Refusal | undefined,
  { entries, hasStorage = false }: Needs,
  stage: Stage,
  run: (given: Given) => Promise<void>,
): Promise<void> {
  if (refusal !== undefined) {
    Object.defineProperty(navigator, 'locks', { value: new BrowserLocks().of(1), configurable: true })
    onTestFinished(() => void Reflect.deleteProperty(navigator, 'locks'))
    onTestFinished(refuse(refusal))
  }
  await run(hasStorage ? { storage: memoryStorage() } : {})
  // The emulated DOM has neither IndexedDB nor locks.
  const away: Refusal['part'][] = [refusal?.part ?? 'navigator.locks', 'indexedDB']
  const costs = toldOf(entries, hasStorage ? away.filter((part) => part !== 'indexedDB') : away)
  const told = [...new Set(stage.logged.splice(0).map(subjectOf))]
  expect(costs).toEqual(expect.arrayContaining(told))
  // Where nothing is kept, no locks are asked for that could be refused. Production says nothing.
  expect(new Set(told.map(entryOf))).toEqual(new Set(development ? costs.map(entryOf) : []))
}

const entryOf = (told: string) => told.split(':')[0]

/** Lets what the platform does come to an end: it may use timers of its own, and a reader waits 100 ms for the storage. */
export async function platformIsDone({ pass }: Stage): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await dueTimers()
    await pass(100)
  }
}

/**
 * Registers a scenario of the entries that use what a browser has: with a storage and nothing else, with what the emulated DOM has, and
 * with each part of a browser refused.
 */
export function scenarioOnEachPlatform(
  name: string,
  title: string,
  needs: Needs,
  run: (stage: Stage, given: Given) => Promise<void>,
): void {
  scenario(name, title, (stage) => run(stage, { storage: memoryStorage(), locks: null, channel: null }))
  scenario(`${name}/as it is`, `${title}: in the emulated DOM as it is`, (stage) =>
    runWithout(undefined, needs, stage, (given) => run(stage, given)),
  )
  for (const refusal of refused) {
    const what = `${refusal.part}: ${refusal.how}`
    scenario(`${name}/${what}`, `${title}: ${what}`, (stage) =>
      runWithout(refusal, needs, stage, (given) => run(stage, given)),
    )
  }
}
