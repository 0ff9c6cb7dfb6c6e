import { outboxOf } from '@selfsame/core/outbox'
import type { Controller } from '@selfsame/core'
import type { OutboxMutation } from '@selfsame/core/outbox'
import type { IssueBody } from '../../api.js'
import type { Issue, IssueState } from '../../issue.js'
import type { User } from '../../user.js'
import { activityResource, issueResource, userResource } from '../api.js'
import { announce } from '../notices.js'
import { problemOf } from '../problems.js'
import { withMotion } from './motion.js'
import { stateOf } from './words.js'

/**
 * Changes fields of an issue, at once. Where the server refuses, the old ones are back and a notice says why.
 *
 * @returns true if the server has taken it, or will when there is a network
 */
export async function changeIssue(
  controller: Controller,
  { id }: Pick<Issue, 'id'>,
  body: Partial<IssueBody>,
): Promise<boolean> {
  const send = () => controller.fetch(issueResource.partialUpdate, { id }, body)
  return (await attempt(controller, send)) !== undefined
}

/** Moves an issue to another column, and offers to undo it. */
export function moveIssue(controller: Controller, { id, state: before }: Issue, state: IssueState): void {
  if (state === before) return
  const put = (target: IssueState) =>
    withMotion(() => void changeIssue(controller, { id }, { state: target }))
  put(state)
  announce(`Moved to ${stateOf(state).name}.`, { name: 'Undo', run: () => put(before) })
}

/** Deletes an issue, and offers to undo it. */
export async function deleteIssue(controller: Controller, { id }: Issue): Promise<void> {
  const restore = () => attempt(controller, () => controller.fetch(issueResource.restore, { id }))
  announce('Deleted.', { name: 'Undo', run: () => void restore() })
  await attempt(controller, () => controller.fetch(issueResource.delete, { id }))
}

/**
 * Creates an issue. It is shown at once.
 *
 * @param user - who creates it; `undefined` for a visitor
 * @param open - opens the issue of an id
 */
export async function createIssue(
  controller: Controller,
  user: User | undefined,
  body: IssueBody,
  open: (id: number) => void,
): Promise<void> {
  const whole = { ...body, author: user?.id, createdAt: new Date().toISOString() }
  announce('Created.')
  const issue = await attempt(controller, () => controller.fetch(issueResource.create, whole))
  if (issue) announce(`Created ${numberOf(issue)}.`, { name: 'Open', run: () => open(issue.id) })
}

/** Writes a comment, which is shown at once. @returns true if the server has taken it, or will */
export async function commentOn(
  controller: Controller,
  issue: number,
  user: User | undefined,
  body: string,
): Promise<boolean> {
  const whole = { issue, body, actor: user?.id, createdAt: new Date().toISOString() }
  return (await attempt(controller, () => controller.fetch(activityResource.create, whole))) !== undefined
}

/** Gives a user another name, on all screens. */
export async function renameUser(controller: Controller, { id }: User, name: string): Promise<void> {
  const renamed = await attempt(controller, () =>
    controller.fetch(userResource.partialUpdate, { id }, { name }),
  )
  if (renamed !== undefined) announce('Renamed everywhere.')
}

/** The number of an issue, as in `#12`. One that the server does not know yet has none. */
export function numberOf({ id }: Issue): string {
  // The temporary id of an optimistic record is a text.
  return /^\d+$/.test(String(id)) ? `#${id}` : 'New'
}

/** Tells how many changes wait for the network. @returns `''` if none does */
export function waitingText(mutations: readonly OutboxMutation[], isOnline: boolean): string {
  const waiting = mutations.filter(
    ({ status, attempts }) => status === 'waiting' && (!isOnline || attempts > 0),
  ).length
  if (waiting === 0) return ''
  return waiting === 1 ? '1 change is waiting to be sent.' : `${waiting} changes are waiting to be sent.`
}

/** @returns `undefined` if the server refused, which the user is told */
async function attempt<Answer>(
  controller: Controller,
  send: () => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await send()
  } catch (error) {
    withMotion(() => forgetRefused(controller))
    announce(`Not saved. ${problemOf(error as Error).advice}`)
    return undefined
  }
}

/** Takes back what the server refused: the user has been told. */
function forgetRefused(controller: Controller): void {
  const { mutations, drop } = outboxOf(controller)
  for (const { id, status } of mutations) if (status === 'failed') void drop(id)
}
