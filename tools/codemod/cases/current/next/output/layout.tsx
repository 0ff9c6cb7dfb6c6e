import { AsyncBoundary } from '@selfsame/react';
import { createNextData } from '@selfsame/react/next';

const { DataRoot } = createNextData();

export default function Layout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en">
      <body>
        <DataRoot>
          <AsyncBoundary>{children}</AsyncBoundary>
        </DataRoot>
      </body>
    </html>
  );
}
