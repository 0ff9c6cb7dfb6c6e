import { Controller } from '@selfsame/core'
import { callsOf } from '@selfsame/core/bindings'
import { Suspense, useCallback, useState, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { ControllerContext, ResetsContext, providedContexts } from './context.js'
import { expectNotRemade, noteOnScreen } from './remade-controller.js'
import { useBeforePaint } from './server.js'

export interface DataProviderProps {
  /**
   * The Controller for the hooks below. Create it outside of components, for example at the top of a module; on a server,
   * create one for each request.
   *
   * @default a Controller of the provider's own, for as long as the provider is mounted
   */
  readonly controller?: Controller | undefined
  readonly children?: ReactNode
}

/**
 * Provides a Controller to the hooks below it.
 *
 * React throws away the state of whatever is above the first `<Suspense>` when it suspends before it was on screen.
 * So a provider that makes its own Controller puts a boundary (without a fallback) around its children. One that is
 * given a Controller adds nothing.
 *
 * @throws {SelfsameError} `controller-remade` in a page, when the Controller is given by such a component above the first
 *   `<Suspense>`: each try would make another one, which asks again, without end
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
 * Resets are watched here, once for all readers: after a logout nothing may stay, not even in a transition
 * (specification F18), so it is an external store, of which a change is rendered at once.
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
