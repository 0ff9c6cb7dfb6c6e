import { Collection, Entity, resource, Union } from '@data-client/rest';
import type { Resource, ResourceOptions, ShortenPath } from '@data-client/rest';
import type { ProviderProps } from '@data-client/react';

export class Todo extends Entity {
  id = 0;
  type = 'todo';
}
export const list: Collection<(typeof Todo)[]> = new Collection([Todo]);
export type Lists<C extends Collection> = { list: C; union: Union };
export const union = new Union({ todo: Todo }, 'type');
export interface Own extends ProviderProps {
  path: ShortenPath<'/todo/:id'>;
}
export const make = (options: ResourceOptions): Resource => resource(options);
