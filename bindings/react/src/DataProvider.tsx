import { Controller } from '@selfsame/core'
import { callsOf } from '@selfsame/core/bindings'
import { Suspense, useCallback, useState, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { ControllerContext, ResetsContext, providedContexts } from './context.js'
import { expectNotRemade, noteOnScreen } from './remade-controller.js'
import { useBeforePaint } from './server.js'

export interface DataProviderProps {
  /**
   * The Controller for the hooks below. Create it outside of components, for example at the top of a module; on a
   * server, create one for each request.
   *
   * @default a new Controller, which the provider keeps while it is mounted. It is not disposed of, because
   * React may hide the page and show it again. Without readers it sends no requests
   */
  readonly controller?: Controller | undefined
  readonly children?: ReactNode
}

/**
 * Provides a Controller to the hooks below it.
 *
 * When a component suspends before its first commit, React discards the state of everything above the nearest
 * `<Suspense>`. So a provider that creates its own Controller wraps its children in a boundary without a fallback. A
 * provider that is given a Controller adds nothing.
 *
 * @throws {SelfsameError} `controller-remade`, in a page only, when a component above the first `<Suspense>` creates
 *   the Controller: each attempt would create another one, which sends its requests again, without end
 * @see specification 4.5, Bindings
 * @example
 * const controller = new Controller()
 * createRoot(element).render(<DataProvider controller={controller}><App /></DataProvider>)
 */
export function DataProvider({ controller, children }: DataProviderProps): ReactNode {
  providedContexts().add(ControllerContext)
  if (controller === undefined) return <OwnController>{children}</OwnController>
  return <Provided controller={controller}>{children}</Provided>
}

function OwnController({ children }: { readonly children: ReactNode }): ReactNode {
  const [controller] = useState(() => new Controller())
  return (
    <Provided controller={controller}>
      <Suspense>{children}</Suspense>
    </Provided>
  )
}

interface ProvidedProps {
  readonly controller: Controller
  readonly children: ReactNode
}

/**
 * Subscribes to resets once for all readers. After a logout no data may stay on screen, not even in a transition
 * (specification F18), so resets are an external store: React renders their changes at once.
 */
function Provided({ controller, children }: ProvidedProps): ReactNode {
  const subscribe = useCallback(
    (listener: () => void) => {
      callsOf(controller).resetListeners.add(listener)
      return () => callsOf(controller).resetListeners.delete(listener)
    },
    [controller],
  )
  const countResets = () => callsOf(controller).resets
  const countInPage = () => {
    expectNotRemade(controller)
    return callsOf(controller).resets
  }
  const resets = useSyncExternalStore(subscribe, countInPage, countResets)
  useBeforePaint(noteOnScreen, [])
  return (
    <ControllerContext.Provider value={controller}>
      <ResetsContext.Provider value={resets}>{children}</ResetsContext.Provider>
    </ControllerContext.Provider>
  )
}
