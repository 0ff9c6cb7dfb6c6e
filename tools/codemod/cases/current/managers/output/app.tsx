import { DataProvider } from '@selfsame/react';
import { LogoutManager, getDefaultManagers } from '@data-client/react';
import type { ReactNode } from 'react';

const own = [new LogoutManager(), ...getDefaultManagers()];

export const Default = ({ children }: { children: ReactNode }) => (
  <DataProvider>{children}</DataProvider>
);
export const Named = ({ children }: { children: ReactNode }) => (
  <DataProvider>{children}</DataProvider>
);
export const Own = ({ children }: { children: ReactNode }) => (
  <DataProvider managers={own}>{children}</DataProvider>
);
export const Filled = ({ children }: { children: ReactNode }) => (
  <DataProvider initialState={state}>{children}</DataProvider>
);
