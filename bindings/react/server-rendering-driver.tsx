import type {
  Controller,
  ControllerOptions,
  PagesOptionsOf,
  Queryable,
  ReadCalls,
  ReadEndpoint,
} from '@selfsame/core'
import type { HydratedPage, Screen, ScreenPart, ServedPage, ServerDriver } from '@selfsame/conformance'
import { version } from 'react'
import type { ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToReadableStream } from 'react-dom/server.browser'
import { vi } from 'vitest'
import {
  AsyncBoundary,
  DataProvider,
  useCache,
  useDLE,
  useDLEAll,
  useFetch,
  useInfinite,
  useLast,
  useLive,
  useProgress,
  useQuery,
  useSubscription,
  useSuspense,
  useSuspenseAll,
} from './src/index.js'
import type { ErrorFallbackProps } from './src/index.js'
import { createServerRequest, hydrateAsItArrives } from './src/ssr.js'
import { use } from './src/use.js'
import { actAlone, settle } from './test-app.js'

function useHook({ hook, endpoint, args }: ScreenPart): unknown {
  // The suite passes only what the types of hooks allow, and a part always has the same hook.
  const [any, anyArgs] = [endpoint as unknown as ReadEndpoint, args as readonly [unknown]]
  if (hook === 'useSuspense') return useSuspense(any, ...anyArgs)
  if (hook === 'useCache') return useCache(any, ...anyArgs)
  if (hook === 'useDLE') return useDLE(any, ...anyArgs)
  if (hook === 'useLast') return useLast(any, ...anyArgs)
  if (hook === 'useQuery') return useQuery(endpoint as Queryable, ...(args as readonly [null]))
  if (hook === 'useProgress') return useProgress(any, ...anyArgs)
  if (hook === 'useLive') return useLive(any, ...anyArgs)
  if (hook === 'useSubscription') return useSubscription(any, ...anyArgs)
  if (hook === 'useSuspenseAll')
    return useSuspenseAll(args[0] as ReadCalls as readonly [[ReadEndpoint, null]])
  if (hook === 'useDLEAll') return useDLEAll(args[0] as ReadCalls as readonly [[ReadEndpoint, null]])
  if (hook === 'useInfinite')
    return useInfinite(any, args[0] as object, args[1] as PagesOptionsOf<ReadEndpoint, ReadEndpoint>)
  return use(useFetch(any, ...anyArgs) as Promise<unknown>)
}

function Part({ part, index }: { readonly part: ScreenPart; readonly index: number }): ReactNode {
  if (part.until !== undefined) use(part.until)
  return <p data-part={index}>{part.show(useHook(part))}</p>
}

interface PageProps {
  readonly screen: Screen
  readonly controller: Controller
  readonly resets: (() => void)[]
}

/** Creates the error fallback of a part, once: React would mount another component again. */
function fallbackOf(index: number, resets: PageProps['resets']) {
  return ({ error, reset }: ErrorFallbackProps): ReactNode => {
    resets[index] = reset
    return <p data-part={index}>Failed: {error.message}</p>
  }
}

function Page({ screen, controller, resets }: PageProps): ReactNode {
  return (
    <DataProvider controller={controller}>
      {screen.map((part, index) => (
        <AsyncBoundary
          // Parts never change their place.
          // eslint-disable-next-line react/no-array-index-key
          key={index}
          fallback={<p data-part={index}>Loading</p>}
          errorFallback={fallbackOf(index, resets)}
        >
          <Part part={part} index={index} />
        </AsyncBoundary>
      ))}
    </DataProvider>
  )
}

/** The count of renders in progress; `window` is restored after the last. */
let renderings = 0

async function serve(screen: Screen, options: ControllerOptions): Promise<ServedPage> {
  const request = createServerRequest(options)
  const { controller } = request
  // The tests also have a DOM: hide it from the server render.
  renderings++
  vi.stubGlobal('window', undefined)
  try {
    const rendering = await renderToReadableStream(
      <Page screen={screen} controller={controller} resets={[]} />,
      { onError: (error) => request.digestOf(error) ?? console.error(error) },
    )
    await rendering.allReady
    const html = await new Response(request.toWebStream(rendering)).text()
    return { html: `<div>${html}</div>`, controller }
  } finally {
    if (--renderings === 0) vi.unstubAllGlobals()
  }
}

async function hydrate(
  container: HTMLElement,
  screen: Screen,
  controller: Controller,
): Promise<HydratedPage> {
  const failures: unknown[] = []
  const resets: (() => void)[] = []
  hydrateAsItArrives(controller)
  const root = await actAlone(() =>
    hydrateRoot(
      container.firstElementChild as Element,
      <Page screen={screen} controller={controller} resets={resets} />,
      { onRecoverableError: (error) => failures.push(error), onCaughtError: () => {} },
    ),
  )
  return {
    failures,
    settle,
    retry: (part) => actAlone(() => resets[part]?.()).then(() => {}),
    close: () => actAlone(() => root.unmount()).then(() => {}),
  }
}

export const serverDriver: ServerDriver = {
  name: version.startsWith('18.') ? 'react 18' : 'react',
  knownGaps: {},
  hydratesLate: true,
  // React 18 has no `onCaughtError`.
  noise: /multiple renderers concurrently rendering the same context provider|^The above error occurred/,
  serve,
  hydrate,
}
