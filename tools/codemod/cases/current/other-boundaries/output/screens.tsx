import { ErrorBoundary } from 'react-error-boundary';
import { AsyncBoundary } from '@selfsame/react';

const Failed = ({ resetErrorBoundary }: { resetErrorBoundary: () => void }) => <button onClick={resetErrorBoundary} />;

export const Screen = ({ children }) => (
  <ErrorBoundary FallbackComponent={Failed}>
    <AsyncBoundary errorFallback={Failed}>{children}</AsyncBoundary>
  </ErrorBoundary>
);
