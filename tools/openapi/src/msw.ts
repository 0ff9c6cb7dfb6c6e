// The entry @selfsame/openapi/msw.
import { http } from 'msw'
import type { HttpHandler } from 'msw'
import type { DescriptionMocks } from './mocks.js'

/**
 * Makes request handlers of Mock Service Worker, for `setupServer` and `setupWorker`. Requests that are not in the description
 * go to the other handlers.
 *
 * @example
 * const server = setupServer(...toHandlers(defineMocks(description)))
 */
export function toHandlers(mocks: DescriptionMocks): HttpHandler[] {
  return [http.all('*', ({ request }) => mocks.answer(request.clone()))]
}
