import { CacheProvider, DataProvider, DevToolsManager, LogoutManager, NetworkManager, PollingSubscription, SubscriptionManager, getDefaultManagers } from '@data-client/react';
import type { ReactNode } from 'react';

const managers = [new NetworkManager(), new SubscriptionManager(PollingSubscription)];
const own = [new LogoutManager(), ...getDefaultManagers()];

export const Default = ({ children }: { children: ReactNode }) => (
  <CacheProvider managers={[...CacheProvider.defaultProps.managers, new DevToolsManager()]}>{children}</CacheProvider>
);
export const Named = ({ children }: { children: ReactNode }) => (
  <DataProvider managers={managers}>{children}</DataProvider>
);
export const Own = ({ children }: { children: ReactNode }) => (
  <DataProvider managers={own}>{children}</DataProvider>
);
export const Filled = ({ children }: { children: ReactNode }) => (
  <DataProvider devButton={null} initialState={state}>{children}</DataProvider>
);
