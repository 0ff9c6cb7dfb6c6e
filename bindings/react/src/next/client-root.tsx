'use client'

import { Controller } from '@selfsame/core'
import type { ControllerOptions } from '@selfsame/core'
import { fetchUntilLeft, serialize } from '@selfsame/core/hydration'
import { useServerInsertedHTML } from 'next/navigation'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { DataProvider } from '../DataProvider.js'
import { hydrateAsItArrives } from '../ssr/arriving-page.js'
import { createServerRequest } from '../ssr/server-request.js'
import { fetchOfVisitor } from './visitors.js'

export interface ClientRootProps {
  /** The name of the visitor's request. `DataRoot` passes it. */
  readonly name: string
  /** Options of the Controllers, on the server and in the page, except `fetch`. @default none */
  readonly options?: Omit<ControllerOptions, 'fetch'> | undefined
  readonly children?: ReactNode
}

/**
 * Provides the Controller. On the server it also sends each part of the page with the state that the part needs. Only for a
 * `Root` of your own, which passes options to the Controllers.
 *
 * @example
 * 'use client'
 * const options = { middleware: [retry()] }
 * export const Root = (props: ClientRootProps) => <ClientRoot {...props} options={options} />
 */
export function ClientRoot({ name, options, children }: ClientRootProps): ReactNode {
  const [request] = useState(() => {
    if (typeof window !== 'undefined') return undefined
    // Without a visitor the response has ended: what is still rendered reaches nobody, and fetches nothing.
    const send = fetchOfVisitor(name) ?? fetchUntilLeft(fetch, AbortSignal.abort())
    return createServerRequest({ ...options, fetch: send })
  })
  useServerInsertedHTML(() => {
    const state = request?.nextState()
    if (state === undefined) return null
    const html = { __html: serialize(state) }
    return <script type="application/json" id="selfsame" dangerouslySetInnerHTML={html} />
  })
  return <DataProvider controller={request?.controller ?? controllerOfPage(options)}>{children}</DataProvider>
}

let ofPage: Controller | undefined

/** The Controller of the page. It lives as long as the page, so navigation keeps the cache. */
function controllerOfPage(options: ControllerOptions | undefined): Controller {
  if (ofPage === undefined) {
    ofPage = new Controller(options)
    hydrateAsItArrives(ofPage)
  }
  return ofPage
}
