import { outboxOf } from '@selfsame/core/outbox'
import type { OutboxMutation } from '@selfsame/core/outbox'
import { controller } from '../api.js'
import { elementById } from './element-by-id.js'
import { network } from './network.js'

/** Makes the switch "Offline" work, and lists the edits that wait. */
export function showOffline(): void {
  const toggle = elementById('offline') as HTMLInputElement
  const outbox = outboxOf(controller)
  const show = () => {
    const { mutations } = outbox
    const isOffline = !network.isOnline()
    toggle.checked = isOffline
    elementById('waiting').hidden = !isOffline && mutations.length === 0
    elementById('waiting-status').textContent = describe(mutations, isOffline)
    elementById('waiting-list').replaceChildren(...mutations.map(toItem))
  }
  toggle.addEventListener('change', () => network.set(!toggle.checked))
  network.subscribe(show)
  outbox.subscribe(show)
  show()
}

/**
 * Resolves when an edit is saved: by the server or, offline, in the outbox, which sends it later.
 *
 * @param saving - the edit's request, which was just made
 */
export async function saved(saving: Promise<unknown>): Promise<void> {
  const outbox = outboxOf(controller)
  const id = outbox.mutations.at(-1)?.id
  if (network.isOnline()) {
    await saving.catch((error: unknown) => {
      // The form shows the error, and keeps what was entered.
      if (id !== undefined) void outbox.drop(id)
      throw error
    })
  } else {
    saving.catch(() => {
      // It is listed with its error.
    })
    await outbox.written()
  }
}

function describe(mutations: readonly OutboxMutation[], isOffline: boolean): string {
  const { length } = mutations
  const changes = length === 1 ? '1 change' : `${length} changes`
  if (!isOffline) return length === 0 ? '' : `Unsent: ${changes}.`
  if (length === 0) return 'You are offline. Edit a title or rename an author, then reload the page.'
  return `You are offline. ${changes} will be sent when you reconnect, even after a reload.`
}

function toItem({ id, endpoint, args, status, error }: OutboxMutation): HTMLLIElement {
  const item = document.createElement('li')
  item.dataset['status'] = status
  const text = document.createElement('span')
  text.textContent = `${nameOf(endpoint, args)}${error === undefined ? '' : ` · ${error.message}`}`
  const { retry, drop } = outboxOf(controller)
  item.append(text)
  if (status === 'failed') item.append(toButton('Retry', text.textContent, () => retry(id)))
  if (status !== 'sending') item.append(toButton('Drop', text.textContent, () => drop(id)))
  return item
}

/** `Title: Shown early`. */
function nameOf(endpoint: string, args: readonly unknown[]): string {
  const { title, name } = (args.at(-1) ?? {}) as { readonly title?: string; readonly name?: string }
  return title !== undefined ? `Title: ${title}` : name !== undefined ? `Author: ${name}` : endpoint
}

function toButton(label: string, what: string, act: () => Promise<void>): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button quiet'
  button.textContent = label
  button.setAttribute('aria-label', `${label}: ${what}`)
  button.addEventListener('click', () => void act())
  return button
}
