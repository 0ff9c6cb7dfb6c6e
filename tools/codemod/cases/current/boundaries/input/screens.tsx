import { AsyncBoundary, ErrorBoundary, NetworkErrorBoundary } from '@data-client/react';
import type { NetworkError } from '@data-client/rest';
import { Suspense } from 'react';
import { List, Spinner } from './parts';

interface FailedProps {
  error: NetworkError;
  title?: string;
}

export function Failed({ error, title }: FailedProps) {
  return <p>{title} {error.status}</p>;
}

function Again({ error, resetErrorBoundary }: { error: Error; resetErrorBoundary: () => void }) {
  return <button onClick={resetErrorBoundary}>{error.message}</button>;
}

export const Inside = () => (
  <NetworkErrorBoundary fallbackComponent={Failed}>
    <Suspense fallback={<Spinner />}>
      <List />
    </Suspense>
  </NetworkErrorBoundary>
);
export const Outside = () => (
  <Suspense fallback={<Spinner />}>
    <main>
      <ErrorBoundary fallbackComponent={Again}>
        <List />
      </ErrorBoundary>
    </main>
  </Suspense>
);
export const Alone = () => (
  <ErrorBoundary fallbackComponent={Again}>
    <List />
  </ErrorBoundary>
);
export const Bare = () => (
  <NetworkErrorBoundary>
    <Suspense>
      <List />
    </Suspense>
  </NetworkErrorBoundary>
);
export const Async = () => (
  <AsyncBoundary fallback={<Spinner />} errorComponent={Again} listen={listen}>
    <List />
  </AsyncBoundary>
);
