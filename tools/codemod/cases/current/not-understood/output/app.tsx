import * as rest from '@data-client/rest';
import { Controller } from '@selfsame/core';
import { RestEndpoint, resource } from '@selfsame/core/rest';
import { AsyncBoundary, DataProvider, useController, useDebounce } from '@selfsame/react';
import { MockResolver } from '@data-client/test';
import type { Manager } from '@data-client/react';

const ErrorText = ({ error }: { error: Error }) => <pre>{error.message}</pre>;

export class Endpoint extends RestEndpoint {
  getOptimisticResponse(snap: any) {
    return {};
  }
}

export const todoResource = resource({ path: '/todo/:id', schema: Todo, optimistic: isOn }).extend({
  vote: new RestEndpoint({
    path: '/vote',
    getOptimisticResponse(snap, { id }) {
      return { id, at: snap.getError(todoResource.get, { id }) };
    },
  }),
});

export function login(controller: Controller) {
  controller.setResponse(todoResource.get, { id: 1 }, {});
  controller.dispatch({ type: 'x' });
}

export function Screen() {
  const { fetch } = useController();
  const ctrl = useController();
  const text = useDebounce('x', 100);
  ctrl.getResponse(todoResource.get, { id: 1 }, {});
  ctrl.subscribe(todoResource.get, { id: 1 });
}

export const App = () => (
  <DataProvider>
    <AsyncBoundary errorFallback={Failed} fallback="…">
      <AsyncBoundary errorFallback={ErrorText} fallback="…" />
    </AsyncBoundary>
  </DataProvider>
);
