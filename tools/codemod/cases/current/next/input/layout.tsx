import { AsyncBoundary } from '@data-client/react';
import { DataProvider } from '@data-client/react/nextjs';

export default function Layout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en">
      <body>
        <DataProvider>
          <AsyncBoundary>{children}</AsyncBoundary>
        </DataProvider>
      </body>
    </html>
  );
}
