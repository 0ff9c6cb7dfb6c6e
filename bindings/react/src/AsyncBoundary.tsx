import { Boundary, toCaughtError } from '@selfsame/core/bindings'
import type { BoundarySnapshot } from '@selfsame/core/bindings'
import { Component, Suspense } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { BoundaryContext } from './context.js'

export interface ErrorFallbackProps {
  /** The error. A thrown value that is not an Error is wrapped in one, as its `cause`. */
  readonly error: Error
  /** Clears the errors inside the boundary, fetches again and renders the children. */
  readonly reset: () => void
}

export interface AsyncBoundaryProps {
  /** Shown while a reader inside waits for its data. @default nothing */
  readonly fallback?: ReactNode
  /**
   * Shown instead of the children when one of them throws. Declare it outside the component that renders the
   * boundary, so that it keeps its state.
   *
   * @default errors go to the boundary around this one
   */
  readonly errorFallback?: ComponentType<ErrorFallbackProps> | undefined
  /**
   * Values that the content depends on without receiving them as props, such as params of a router. When one of them
   * changes, the content re-renders.
   *
   * @default none
   */
  readonly resetKeys?: readonly unknown[] | undefined
  readonly children?: ReactNode
}

/**
 * Shows a fallback while readers inside wait for data, and an error fallback when one fails. A reader's error
 * disappears when another reader fetches or resets its call, and when the new children do not read that call. Any
 * other error stays until `reset`, or until one of `resetKeys` changes.
 *
 * @see specification 7 (rule 1, errorPolicy), B5
 * @example
 * <AsyncBoundary fallback={<Spinner />} errorFallback={Failed}><TodoDetail id={5} /></AsyncBoundary>
 *
 * function Failed({ error, reset }: ErrorFallbackProps) {
 *   return <p role="alert">{error.message} <button onClick={reset}>Try again</button></p>
 * }
 */
export function AsyncBoundary(props: AsyncBoundaryProps): ReactNode {
  const { fallback, errorFallback, children } = props
  if (errorFallback === undefined) return <Suspense fallback={fallback}>{children}</Suspense>
  return <ErrorBoundary {...props} errorFallback={errorFallback} />
}

interface ErrorBoundaryProps extends AsyncBoundaryProps {
  readonly errorFallback: ComponentType<ErrorFallbackProps>
}

interface ErrorBoundaryState {
  readonly snapshot: BoundarySnapshot
  /** The error that React caught, until the boundary is notified. */
  readonly caught: Error | undefined
}

/** React catches errors in class components only. */
class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  readonly #boundary = new Boundary()
  override state: ErrorBoundaryState = { snapshot: this.#boundary.getSnapshot(), caught: undefined }
  #leave: (() => void) | undefined
  readonly #reset = (): void => this.#boundary.reset()
  readonly #tell = (): void => this.setState({ snapshot: this.#boundary.getSnapshot(), caught: undefined })

  static getDerivedStateFromError(thrown: unknown): Partial<ErrorBoundaryState> {
    // `notFound()` and `redirect()` of Next are thrown, and handled by a boundary of Next further out.
    const { digest } = Object(thrown) as { readonly digest?: unknown }
    if (String(digest).startsWith('NEXT_')) throw thrown
    return { caught: toCaughtError(thrown) }
  }

  override componentDidMount(): void {
    const end = this.#boundary.subscribe(this.#tell)
    this.#look()
    const exit = this.#boundary.enter()
    this.#leave = () => {
      exit()
      end()
    }
  }

  override componentDidUpdate(): void {
    this.#look()
  }

  override componentWillUnmount(): void {
    this.#leave?.()
  }

  /** Runs before paint, so that no frame shows the retried content together with the error. */
  #look(): void {
    const { caught, snapshot } = this.state
    const { children, resetKeys } = this.props
    this.#boundary.depend(resetKeys, children)
    if (caught !== undefined) this.#boundary.catch(caught)
    else if (snapshot.isTrying) this.#boundary.endTrial()
  }

  override render(): ReactNode {
    const { errorFallback: ErrorFallback, fallback, children } = this.props
    const { caught, snapshot } = this.state
    const error = caught ?? snapshot.error
    const isTrying = caught === undefined && snapshot.isTrying
    return (
      <>
        {error !== undefined && <ErrorFallback error={error} reset={this.#reset} />}
        {(error === undefined || isTrying) && (
          <BoundaryContext.Provider value={this.#boundary}>
            <Suspense fallback={isTrying ? undefined : fallback}>{children}</Suspense>
          </BoundaryContext.Provider>
        )}
      </>
    )
  }
}
