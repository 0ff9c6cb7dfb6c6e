import { schema, Entity, Controller } from '@selfsame/core';
import { NetworkError, RestEndpoint, resource } from '@selfsame/core/rest';
import { useController } from '@selfsame/react';
import { validateRequired } from '@data-client/rest';

export class Todo extends Entity {
  id = 0;
  title = '';

  static validate(value: any) {
    return validateRequired(value, this.defaults) || super.validate(value);
  }
}

export const todoResource = resource({ path: '/todo/:id', schema: Todo, nonFilterArgumentKeys: name => /sort|page/.test(name) })
  .extend(base => ({
  getList: base.getList.extend({ path: '/todo/all' })
}))
  .extend(base => ({
  getPopular: base.get.extend({ path: '/todo/popular' })
}))
  .extend(base => ({
  get: base.get.extend({ dataExpiryLength: 5 }),
  delete: base.delete.extend({ path: '/todo/:id/now' })
}))
  .extend(base => ({
  update: base.update.extend({ path: '/x' }),
  vote: new RestEndpoint({ path: '/vote', sideEffect: true })
}));

export const list = new schema.Collection([Todo], { nonFilterArgumentKeys: name => /sort/i.test(name) });
export const drop = new RestEndpoint({ path: '/drop', schema: new schema.Invalidate({ todo: Todo }, 'type'), body: undefined });
export const clear = new RestEndpoint({ path: '/clear', schema: new schema.Invalidate(Todo), method: 'DELETE' });

export function check(response: Response) {
  if (!response.ok) throw new NetworkError(response);
}

export function useSave() {
  const { fetch, setResponse: receive, getState: state, resetAll: resetEntireStore } = useController();
  return () => [fetch(todoResource.create, { title: 'x' }), receive, state, resetEntireStore];
}

export function useKnown(controller: Controller) {
  const { data } = controller.read(todoResource.get, { id: 1 });
  return data;
}
