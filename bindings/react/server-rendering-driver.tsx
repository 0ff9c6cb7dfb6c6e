import { nextTask } from '@selfsame/conformance/next-task'
import type { Controller, ControllerOptions } from '@selfsame/core'
import type { HydratedPage, Screen, ScreenPart, ServedPage, ServerDriver } from '@selfsame/conformance'
import { version } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToReadableStream } from 'react-dom/server.browser'
import { vi } from 'vitest'
import { readHooks } from './read-hooks.js'
import type { Use } from './legacy-hooks-driver.js'
import { AsyncBoundary, DataProvider } from './src/index.js'
import type { ErrorFallbackProps } from './src/index.js'
import { createServerRequest, hydrateAsItArrives } from './src/ssr.js'
import { use } from './src/use.js'
import { actAlone, settle } from './test-app.js'

interface PartProps {
  readonly part: ScreenPart
  readonly index: number
}

const useFetched: Use = (endpoint, args) => use(readHooks.useFetch(endpoint, args) as Promise<unknown>)

/** A component for each hook, so that it calls the same one in all of its renders. */
const parts = Object.fromEntries(
  Object.entries({ ...readHooks, useFetch: useFetched }).map(([hook, useHook]) => [hook, partOf(useHook)]),
)

function partOf(useHook: Use) {
  return function Part({ part, index }: PartProps): ReactNode {
    if (part.until !== undefined) use(part.until)
    return <p data-part={index}>{part.show(useHook(part.endpoint, part.args))}</p>
  }
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
      {screen.map((part, index) => {
        const Part = parts[part.hook] as ComponentType<PartProps>
        return (
          <AsyncBoundary
            // Parts never change their place.
            // eslint-disable-next-line react/no-array-index-key
            key={index}
            fallback={<p data-part={index}>Loading</p>}
            errorFallback={fallbackOf(index, resets)}
          >
            <Part part={part} index={index} />
          </AsyncBoundary>
        )
      })}
    </DataProvider>
  )
}

/** The count of renders in progress; `window` is restored after the last. */
let renderings = 0

async function serve(screen: Screen, options: ControllerOptions): Promise<ServedPage> {
  const request = createServerRequest(options)
  const { controller } = request
  // The tests also have a DOM: hide it from the server render. In a browser it cannot be hidden; there, the build for a server has none.
  renderings++
  if (Object.getOwnPropertyDescriptor(globalThis, 'window')?.configurable === true)
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
    settle: () => settle(nextTask),
    retry: (part) => actAlone(() => resets[part]?.()).then(() => {}),
    close: () => actAlone(() => root.unmount()).then(() => {}),
  }
}

export const serverDriver: ServerDriver = {
  name: version.startsWith('18.') ? 'react 18' : 'react',
  knownGaps: {},
  hydratesLate: true,
  // React 18 has no `onCaughtError`, and throws a caught error once more in development, for debuggers.
  noise:
    /multiple renderers concurrently rendering the same context provider|^The above error occurred|^Error: Uncaught NetworkError/,
  serve,
  hydrate,
}
