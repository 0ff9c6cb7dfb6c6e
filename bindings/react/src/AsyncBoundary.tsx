import { Boundary, toCaughtError } from '@selfsame/core'
import { Component, Suspense } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { BoundaryContext } from './context.js'

export interface ErrorFallbackProps {
  /** What was thrown. Anything but an Error is wrapped in one, as its `cause`. */
  readonly error: Error
  /** Takes the errors thrown inside the boundary back, fetches again and renders the children. */
  readonly reset: () => void
}

export interface AsyncBoundaryProps {
  /** Shown while a reader inside waits for its data. @default nothing */
  readonly fallback?: ReactNode
  /**
   * Shown instead of the children when one of them throws. Declare it outside of the component that renders the
   * boundary, so that it keeps its state.
   *
   * @default errors go to the boundary around this one
   */
  readonly errorFallback?: ComponentType<ErrorFallbackProps> | undefined
  readonly children?: ReactNode
}

/**
 * Handles the waiting and the errors of all readers inside of it, in one place. An error of a call that somebody else
 * fetches or resets goes away by itself; any other stays until `reset`.
 *
 * @see specification 7 (rule 1, errorPolicy), B5
 * @example
 * <AsyncBoundary fallback={<Spinner />} errorFallback={Failed}><TodoDetail id={5} /></AsyncBoundary>
 *
 * function Failed({ error, reset }: ErrorFallbackProps) {
 *   return <p role="alert">{error.message} <button onClick={reset}>Try again</button></p>
 * }
 */
export function AsyncBoundary({ fallback, errorFallback, children }: AsyncBoundaryProps): ReactNode {
  const content = <Suspense fallback={fallback}>{children}</Suspense>
  if (errorFallback === undefined) return content
  return <ErrorBoundary errorFallback={errorFallback}>{content}</ErrorBoundary>
}

interface ErrorBoundaryProps {
  readonly errorFallback: ComponentType<ErrorFallbackProps>
  readonly children: ReactNode
}

interface ErrorBoundaryState {
  readonly error: Error | undefined
}

/** React catches errors in classes only. */
class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: undefined }
  readonly #boundary = new Boundary()
  #unwatch: (() => void) | undefined
  readonly #reset = (): void => {
    this.#boundary.reset()
    this.setState({ error: undefined })
  }

  static getDerivedStateFromError(thrown: unknown): ErrorBoundaryState {
    return { error: toCaughtError(thrown) }
  }

  override componentDidMount(): void {
    this.#watch()
  }

  override componentDidUpdate(_: ErrorBoundaryProps, last: ErrorBoundaryState): void {
    if (this.state.error !== last.error) this.#watch()
  }

  override componentWillUnmount(): void {
    this.#unwatch?.()
  }

  /** The reader that failed is gone, so that this has to notice when its call is answered after all. */
  #watch(): void {
    this.#unwatch?.()
    const { error: shown } = this.state
    this.#unwatch = shown && this.#boundary.watch(shown, (error) => this.setState({ error }))
  }

  override render(): ReactNode {
    const { errorFallback: ErrorFallback, children } = this.props
    const { error } = this.state
    if (error !== undefined) return <ErrorFallback error={error} reset={this.#reset} />
    return <BoundaryContext value={this.#boundary}>{children}</BoundaryContext>
  }
}
