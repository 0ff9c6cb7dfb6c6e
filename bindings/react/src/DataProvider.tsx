import { Controller } from '@selfsame/core'
import { callsOf, development } from '@selfsame/core/bindings'
import { Suspense, useCallback, useMemo, useState, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { ProvidedContext, providedContexts } from './context.js'
import { expectNotRemade, noteOnScreen, useSameController } from './remade-controller.js'
import { useBeforePaint, useIsServed } from './server.js'

export interface DataProviderProps {
  /**
   * The Controller for the hooks below. Create it outside components, for example at the top of a module; on a
   * server, create one for each request.
   *
   * @default a new Controller, which the provider keeps while it is mounted. It is not disposed, because
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
 * @throws {SelfsameError} `controller-remade`, in a page only, when a component above the first `<Suspense>` creates the
 *   Controller: each attempt would create another one, which sends its requests again, without end
 * @see specification 4.5, Bindings
 * @example
 * const controller = new Controller()
 * createRoot(element).render(<DataProvider controller={controller}><App /></DataProvider>)
 */
export function DataProvider({ controller, children }: DataProviderProps): ReactNode {
  if (development) providedContexts().add(ProvidedContext)
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
  const calls = callsOf(controller)
  const subscribe = useCallback(
    (listener: () => void) => {
      calls.resetListeners.add(listener)
      return () => calls.resetListeners.delete(listener)
    },
    [calls],
  )
  const countResets = () => calls.resets
  const countInPage = () => {
    expectNotRemade(controller)
    return calls.resets
  }
  const resets = useSyncExternalStore(subscribe, countInPage, countResets)
  // A provider that a browser rendered has no reader below it that a server rendered.
  const [isServed] = useState(useIsServed())
  useBeforePaint(noteOnScreen, [])
  // The same in each render of a build.
  // eslint-disable-next-line react/hooks, react-hooks/rules-of-hooks
  if (development) useSameController(controller)
  // Each reset makes a new object.
  // eslint-disable-next-line react/memo-dependencies, react-hooks/exhaustive-deps
  const provided = useMemo(() => ({ controller, calls, isServed }), [controller, calls, resets, isServed])
  return <ProvidedContext.Provider value={provided}>{children}</ProvidedContext.Provider>
}
