import { SelfsameError } from '@selfsame/core'
import type { Controller } from '@selfsame/core'
import { fetchUntilLeft, serialize } from '@selfsame/core/hydration'
import { headers } from 'next/headers'
import { after } from 'next/server'
import type { ComponentType, ReactNode } from 'react'
import { createServerRequest } from '../ssr/server-request.js'
import { ClientRoot } from './client-root.js'
import type { ClientRootProps } from './client-root.js'
import { Prefetched } from './prefetched.js'
import { addVisitor, removeVisitor } from './visitors.js'

/** Options of `createNextData`. */
export interface NextDataOptions {
  /**
   * Where the server reaches endpoints whose address has no host, such as `/api/me`. Only requests to this origin carry
   * headers of the visitor.
   *
   * @default none: such an endpoint is an error on the server
   * @example process.env.BACKEND
   */
  readonly backend?: string | URL | undefined
  /** The visitor's headers that requests to `backend` carry. @default ['cookie'] */
  readonly forward?: readonly string[] | undefined
  /** Sends the requests of the server. @default the global `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined
  /**
   * A client component that renders `ClientRoot` of `@selfsame/react/next/client`, to pass options to the Controllers.
   *
   * @default ClientRoot
   */
  readonly Root?: ComponentType<ClientRootProps> | undefined
}

export interface DataRootProps {
  readonly children?: ReactNode
}

export interface PrefetchProps {
  /**
   * Fetches what client components inside read, for example
   * `(controller) => controller.fetch(todoResource.get, { id })`. An error of a call reaches `onError`, and then the
   * reader that names the call. `notFound()`, `redirect()` and other errors are thrown on.
   */
  readonly fetch: (controller: Controller) => Promise<unknown>
  /**
   * Called with the error of a failed call, before anything of the page is sent. Call `notFound()` or `redirect()` of
   * Next in it to answer with that status.
   *
   * @default does nothing: the reader that names the call shows the error, with status 200
   */
  readonly onError?: ((error: Error) => void) | undefined
  readonly children?: ReactNode
}

/** Server components for an application of Next with the app router. */
export interface NextData {
  /** Goes into the root layout, around its children: provides one Controller for each request, and one for the page. */
  readonly DataRoot: (props: DataRootProps) => Promise<ReactNode>
  /** Fetches for the client components inside, so that a navigation sends one request for both. */
  readonly Prefetch: (props: PrefetchProps) => Promise<ReactNode>
}

/**
 * Connects an application of Next. Call it once, in a module that only server components import.
 *
 * On the server each request of a visitor has its own Controller. When the visitor leaves, its requests to the backend
 * are aborted.
 *
 * @throws {SelfsameError} `argument-invalid` if `backend` is not an absolute address
 * @see specification 4.5, Hooks on a server
 * @example
 * // data/next.ts
 * export const { DataRoot, Prefetch } = createNextData({ backend: process.env.BACKEND })
 */
export function createNextData(options: NextDataOptions = {}): NextData {
  const { Root = ClientRoot } = options
  const fetchFor = createFetchFor(options)

  return {
    async DataRoot({ children }) {
      const left = new AbortController()
      const name = addVisitor(fetchUntilLeft(fetchFor(await headers()), left.signal))
      // Called when the response has ended, and when the visitor has left: Next may render on then. The Controller of the request
      // has no timers and no connections, so it is garbage afterwards.
      after(() => {
        removeVisitor(name)
        left.abort()
      })
      return <Root name={name}>{children}</Root>
    },
    async Prefetch({ fetch: fetchAll, onError, children }) {
      const request = createServerRequest({ fetch: fetchFor(await headers()) })
      const failure: unknown = await fetchAll(request.controller).then(
        () => undefined,
        (error: unknown) => error,
      )
      const isOfCall = request.digestOf(failure) !== undefined
      const state = serialize(request.state())
      request.dispose()
      if (isOfCall) onError?.(failure as Error)
      else if (failure !== undefined) throw failure
      return <Prefetched state={state}>{children}</Prefetched>
    },
  }
}

/** Returns a function that makes the `fetch` of a visitor, from the visitor's headers. */
function createFetchFor({ backend, forward = ['cookie'], fetch = globalThis.fetch }: NextDataOptions) {
  const base = backend === undefined ? undefined : toBase(backend)
  return (visitor: Headers): typeof globalThis.fetch => {
    const forwarded = forward.flatMap((name) => {
      const value = visitor.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    return (target, init) => {
      const address = toAddress(target, base)
      if (address.origin !== base?.origin) return fetch(target, init)
      const sent = new Headers(init?.headers)
      for (const [name, value] of forwarded) if (!sent.has(name)) sent.set(name, value)
      return fetch(address, { ...init, headers: sent })
    }
  }
}

function toBase(backend: string | URL): URL {
  if (URL.canParse(backend)) return new URL(backend)
  throw new SelfsameError(
    'argument-invalid',
    `createNextData: "backend" is not an absolute address. Pass one with a protocol and a host, for example "http://127.0.0.1:3001".`,
  )
}

function toAddress(target: Parameters<typeof fetch>[0], base: URL | undefined): URL {
  const address = target instanceof Request ? target.url : target
  if (base === undefined && !URL.canParse(address)) {
    throw new SelfsameError(
      'argument-invalid',
      `The server fetched ${String(address).split('?')[0]}, which has no host. Pass createNextData the option "backend", or give the endpoint a urlPrefix with a host.`,
    )
  }
  return new URL(address, base)
}
