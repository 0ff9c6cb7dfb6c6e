// token.ts
import type { Controller } from '@selfsame/core'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import type { RestOptions } from '@selfsame/core/rest'
import { Todo } from '../api.js'

const urlPrefix = 'https://api.example.com'
let token = ''

class TokenEndpoint<
  const Options extends RestOptions,
> extends RestEndpoint<Options> {
  override getHeaders(headers: Readonly<Record<string, string>>) {
    return token === ''
      ? headers
      : { ...headers, Authorization: `Bearer ${token}` }
  }
}

export const todoResource = createResource({
  urlPrefix,
  path: '/todo/:id',
  schema: Todo,
  Endpoint: TokenEndpoint,
})

const logIn = new RestEndpoint({
  urlPrefix,
  path: '/login',
  method: 'POST',
  body: {} as { name: string; password: string },
  // The response is no record. This gives it its type.
  process: (response: { token: string }) => response,
})

export async function signIn(
  controller: Controller,
  name: string,
  password: string,
) {
  const response = await controller.fetch(logIn, { name, password })
  token = response.token
  controller.resetAll()
}

export function signOut(controller: Controller) {
  token = ''
  controller.resetAll()
}
