import { schema, Entity } from '@selfsame/core';
import { optimistic } from '@selfsame/core/optimistic';
import { RestEndpoint, resource } from '@selfsame/core/rest';

class Base extends Entity {
  id = '';
}

export class Ticker extends Base {
  time = 0;
  static key = 'Ticker';
  static version = 'time';
  static mergeWithStore(existingMeta, incomingMeta, existing, incoming) {
    return { ...existing, ...incoming };
  }
  static createIfValid(props) {
    return props;
  }
}

export const getTicker = new RestEndpoint({
  path: '/ticker/:id',
  schema: Ticker,
  requestInit: { credentials: 'include' },
  key: ({ id }) => id,
  getOptimisticResponse: optimistic((_snapshot, params) => params),
});
export const TickerResource = resource({ path: '/ticker/:id', schema: Ticker, requestInit: {} });
export const fresh = TickerResource.get.extend({ dataExpiryLength: 5, extra: undefined, key: () => '' });

export const all = new schema.Collection([Todo], { argsKey: () => ({}), createCollectionFilter: () => () => true });
