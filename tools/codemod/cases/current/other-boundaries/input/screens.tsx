import { ErrorBoundary } from 'react-error-boundary';
import { AsyncBoundary } from '@data-client/react';

const Failed = ({ resetErrorBoundary }: { resetErrorBoundary: () => void }) => <button onClick={resetErrorBoundary} />;

export const Screen = ({ children }) => (
  <ErrorBoundary FallbackComponent={Failed}>
    <AsyncBoundary errorComponent={Failed}>{children}</AsyncBoundary>
  </ErrorBoundary>
);
