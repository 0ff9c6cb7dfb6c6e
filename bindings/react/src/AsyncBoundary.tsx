import { Boundary, areSameKeys, toCaughtError } from '@selfsame/core'
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
  /**
   * What the content depends on that its elements do not say, as the params of a router that it reads by itself: the
   * content is tried again when one of them changes.
   *
   * @default none
   */
  readonly resetKeys?: readonly unknown[] | undefined
  readonly children?: ReactNode
}

/**
 * Handles the waiting and the errors of all readers inside of it, in one place. An error of a reader goes away by itself
 * when somebody else fetches or resets its call, and when new children do not name that call; any other stays until
 * `reset`, or until one of `resetKeys` changes.
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
  readonly error: Error | undefined
  /** Whether the content is rendered beside the error, for no frame, to see whether it still names what failed. */
  readonly isTrying: boolean
}

const intact: ErrorBoundaryState = { error: undefined, isTrying: false }

/** React catches errors in classes only. */
class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state = intact
  readonly #boundary = new Boundary()
  #unwatch: (() => void) | undefined
  readonly #reset = (): void => {
    this.#boundary.reset()
    this.setState(intact)
  }

  static getDerivedStateFromError(thrown: unknown): ErrorBoundaryState {
    return { error: toCaughtError(thrown), isTrying: false }
  }

  override componentDidMount(): void {
    this.#watch()
  }

  override componentDidUpdate(last: ErrorBoundaryProps, { error: lastError }: ErrorBoundaryState): void {
    const { error, isTrying } = this.state
    if (error !== lastError) this.#watch()
    // Before the page is painted: what is tried is on no frame together with the error.
    /* oxlint-disable react/no-did-update-set-state */
    if (isTrying) return this.setState(this.#boundary.endTrial() ? { isTrying: false } : intact)
    if (error === undefined || error !== lastError) return
    const { children, resetKeys } = this.props
    const isOther = this.#unwatch !== undefined && children !== last.children
    if (!isOther && areSameKeys(last.resetKeys, resetKeys)) return
    this.#boundary.beginTrial()
    this.setState({ isTrying: true })
    /* oxlint-enable react/no-did-update-set-state */
  }

  override componentWillUnmount(): void {
    this.#boundary.endTrial()
    this.#unwatch?.()
  }

  /** The reader that failed is gone, so that this has to notice when its call is answered after all. */
  #watch(): void {
    this.#unwatch?.()
    const { error: shown } = this.state
    this.#unwatch = shown && this.#boundary.watch(shown, (error) => this.setState({ error }))
  }

  override render(): ReactNode {
    const { errorFallback: ErrorFallback, fallback, children } = this.props
    const { error, isTrying } = this.state
    return (
      <>
        {error !== undefined && <ErrorFallback error={error} reset={this.#reset} />}
        {(error === undefined || isTrying) && (
          <BoundaryContext value={this.#boundary}>
            <Suspense fallback={isTrying ? undefined : fallback}>{children}</Suspense>
          </BoundaryContext>
        )}
      </>
    )
  }
}
