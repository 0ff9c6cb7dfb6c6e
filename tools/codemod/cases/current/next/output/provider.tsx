'use client';
import { DataProvider } from '@selfsame/react';

export function Provider({ children }: { children: React.ReactNode }) {
  return <DataProvider>{children}</DataProvider>;
}
