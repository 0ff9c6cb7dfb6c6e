'use client';
import { DataProvider } from '@data-client/ssr/nextjs';

export function Provider({ children }: { children: React.ReactNode }) {
  return <DataProvider managers={[]}>{children}</DataProvider>;
}
