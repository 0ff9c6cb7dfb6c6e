import { AsyncBoundary, DataProvider } from '@selfsame/react'
import type { ErrorFallbackProps } from '@selfsame/react'
import type { ComponentType } from 'react'
import { createRoot } from 'react-dom/client'
import type { Mount, Props } from './run.js'

const Failed = ({ error, reset }: ErrorFallbackProps) => (
  <p role="alert">
    {error.message} <button onClick={reset}>Try again</button>
  </p>
)

export const mount: Mount<ComponentType<Props>> = (Sample, stage) => {
  const { target, props, controller, onError = () => {} } = stage
  // A boundary shows the errors that the reader asked for: they are no news for the console.
  const root = createRoot(target, { onCaughtError: onError })
  root.render(
    <DataProvider controller={controller}>
      <AsyncBoundary fallback={<p>Loading…</p>} errorFallback={Failed}>
        <Sample {...props} />
      </AsyncBoundary>
    </DataProvider>,
  )
  return () => root.unmount()
}
