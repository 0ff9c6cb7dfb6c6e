import { Collection, Entity, RestEndpoint, resource } from '@data-client/rest';

class Base extends Entity {
  id = '';
}

export class Ticker extends Base {
  time = 0;
  static key = 'Ticker';
  static shouldReorder(existingMeta, incomingMeta, existing, incoming) {
    return existing.time > incoming.time;
  }
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
  getFetchKey: ({ id }) => id,
  optimisticUpdate: (params) => params,
});
export const TickerResource = resource({ path: '/ticker/:id', schema: Ticker, requestInit: {} });
export const fresh = TickerResource.get.extend({ dataExpiryLength: 5, extra: undefined, getFetchKey: () => '' });

export const all = new Collection([Todo], { argsKey: () => ({}), createCollectionFilter: () => () => true });
