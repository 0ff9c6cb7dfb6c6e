import type { NetworkError } from '@selfsame/core/rest';
import { AsyncBoundary } from '@selfsame/react';
import { Suspense } from 'react';
import { List, Spinner } from './parts';

const ErrorText = ({ error }: { error: Error }) => <pre>{error.message}</pre>;

interface FailedProps {
  error: Error & Partial<NetworkError>;
  title?: string;
}

export function Failed({ error, title }: FailedProps) {
  return <p>{title} {error.status}</p>;
}

function Again({ error, reset: resetErrorBoundary }: { error: Error; reset: () => void }) {
  return <button onClick={resetErrorBoundary}>{error.message}</button>;
}

export const Inside = () => (
  <AsyncBoundary errorFallback={Failed}>
    <Suspense fallback={<Spinner />}>
      <List />
    </Suspense>
  </AsyncBoundary>
);
export const Outside = () => (
  <Suspense fallback={<Spinner />}>
    <main>
      <AsyncBoundary errorFallback={Again} fallback={<Spinner />}>
        <List />
      </AsyncBoundary>
    </main>
  </Suspense>
);
export const Alone = () => (
  <AsyncBoundary errorFallback={Again}>
    <List />
  </AsyncBoundary>
);
export const Bare = () => (
  <AsyncBoundary errorFallback={ErrorText}>
    <Suspense>
      <List />
    </Suspense>
  </AsyncBoundary>
);
export const Async = () => (
  <AsyncBoundary fallback={<Spinner />} errorFallback={Again}>
    <List />
  </AsyncBoundary>
);
