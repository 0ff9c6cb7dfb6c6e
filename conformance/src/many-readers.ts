import { Endpoint, Entity } from '@selfsame/core'
import type { Controller } from '@selfsame/core'
import { expect } from 'vitest'

// What the tests of 1,000 readers and of one row have in common, whatever the framework: a record, its endpoint, and writes.

export class Issue extends Entity {
  id = 0
  title = ''
  static override key = 'Issue'
}

export const getIssue = new Endpoint(({ id }: { id: number }) => Promise.resolve({ id, title: 'One' }), {
  name: 'getIssue',
  schema: Issue,
})

export const count = 1000
export const ids: readonly number[] = Array.from({ length: count }, (_, index) => index + 1)

/** Gives some issues another title. */
export type Write = (ids: readonly number[], title: string) => void

/** What is written to the page after its mount: one issue, then all. */
export const writes: readonly (readonly [ids: readonly number[], title: string])[] = [
  [[1], 'Two'],
  [ids, 'Three'],
]

/**
 * Gives a Controller the issues with these ids, titled "One".
 *
 * @returns a function that writes to them
 */
export function issuesIn(controller: Controller, stored: readonly number[]): Write {
  for (const id of stored) controller.setResponse(getIssue, { id }, { id, title: 'One' })
  return (written, title) =>
    controller.set(
      [Issue],
      {},
      written.map((id) => ({ id, title })),
    )
}

/** The store of a Map, with a listener for each record. */
export function bareTitles() {
  const titles = new Map(ids.map((id) => [id, 'One']))
  const listeners = new Map<number, () => void>()
  return {
    read: (id: number) => titles.get(id),
    subscribe(id: number, listener: () => void) {
      listeners.set(id, listener)
      return () => void listeners.delete(id)
    },
    /** All titles first, so that a listener that reads another issue finds what was written. */
    write: ((written, title) => {
      for (const id of written) titles.set(id, title)
      for (const id of written) listeners.get(id)?.()
    }) satisfies Write,
  }
}

/** Every row shows what was written last. */
export function expectLastWrite(): void {
  const texts = [...document.querySelectorAll('i')].map(({ textContent }) => textContent)
  expect(texts).toEqual(ids.map(() => writes.at(-1)?.[1]))
}

/** Each step (the mount, and the writes) does at most a tenth more than with bare subscriptions, which do what is asked and no more. */
export function expectAsOften(counted: readonly number[], bare: readonly number[]): void {
  expect(bare).toEqual([count, 1, count])
  bare.forEach((limit, step) => expect(counted[step], `step ${step}`).toBeLessThanOrEqual(atMost(limit)))
}

/** A tenth more. */
export const atMost = (work: number): number => Math.floor(work * 1.1)
