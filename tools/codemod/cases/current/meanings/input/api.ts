import { Collection, Entity, Invalidate, NetworkError, RestEndpoint, resource, schema, validateRequired } from '@data-client/rest';
import { Controller, useController } from '@data-client/react';

export class Todo extends Entity {
  id = 0;
  title = '';

  static validate(value: any) {
    return validateRequired(value, this.defaults) || super.validate(value);
  }
}

export const todoResource = resource({ path: '/todo/:id', schema: Todo, nonFilterArgumentKeys: /sort|page/ })
  .extend('getList', { path: '/todo/all' })
  .extend('getPopular', { path: '/todo/popular' })
  .extend({ get: { dataExpiryLength: 5 }, delete: { path: '/todo/:id/now' } })
  .extend({ update: { path: '/x' }, vote: new RestEndpoint({ path: '/vote', sideEffect: true }) });

export const list = new Collection([Todo], { nonFilterArgumentKeys: /sort/i });
export const drop = new RestEndpoint({ path: '/drop', schema: new Invalidate({ todo: Todo }, 'type'), body: undefined });
export const clear = new RestEndpoint({ path: '/clear', schema: new schema.Invalidate(Todo), method: 'DELETE' });

export function check(response: Response) {
  if (!response.ok) throw new NetworkError(response);
}

export function useSave() {
  const { fetch, receive, getState: state, resetEntireStore } = useController();
  return () => [fetch(todoResource.create, { title: 'x' }), receive, state, resetEntireStore];
}

export function useKnown(controller: Controller) {
  const { data } = controller.getResponse(todoResource.get, { id: 1 }, controller.getState());
  return data;
}
