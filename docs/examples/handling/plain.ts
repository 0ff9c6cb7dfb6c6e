import { Controller } from '@selfsame/core'
import { retry } from '@selfsame/core/policies'
import { NetworkError } from '@selfsame/core/rest'
import type { Middleware } from '@selfsame/core'
import { todoResource } from '../api.js'
import { refusalOf } from './message-of.js'

// The samples of docs/error-handling.md without a framework.

export async function fetchTitle(
  controller: Controller,
  id: number,
): Promise<string> {
  try {
    const todo = await controller.fetch(todoResource.get, { id })
    return todo.title
  } catch (error) {
    if (error instanceof NetworkError && error.status === 404)
      return 'There is no such todo.'
    throw error
  }
}

export function readState(controller: Controller, id: number): string {
  const { data, error, fetching } = controller.read(todoResource.get, { id })
  if (data === undefined) return error?.message ?? (fetching ? 'Loading…' : '')
  return data.title
}

export async function save(
  controller: Controller,
  title: string,
): Promise<string> {
  try {
    await controller.fetch(todoResource.create, { title })
    return 'Saved'
  } catch (error) {
    if (error instanceof NetworkError && error.status === 422)
      return (error.body as { title: string }).title
    return refusalOf(error as Error)
  }
}

export const controller = new Controller({
  middleware: [retry({ attempts: 2, delayMs: () => 0 })],
})

export const reported: Error[] = []
const sendToMonitoring = (name: string, error: Error) => reported.push(error)

export const report: Middleware = () => ({
  after: (action) => {
    if (action.type === 'error')
      sendToMonitoring(action.endpoint.name, action.error)
  },
})

export const getProfile = todoResource.get.extend({
  errorPolicy: (error) =>
    (error as NetworkError).status === 404 ? 'soft' : undefined,
})
