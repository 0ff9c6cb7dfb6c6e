import { schema, Entity } from '@selfsame/core';
import type { Schema, CollectionSchema, UnionSchema } from '@selfsame/core';
import { resource } from '@selfsame/core/rest';
import type { Resource, ResourceOptions, ListPath } from '@selfsame/core/rest';
import type { DataProviderProps } from '@selfsame/react';

export class Todo extends Entity {
  id = 0;
  type = 'todo';
}
export const list: CollectionSchema<readonly [typeof Todo]> = new schema.Collection([Todo]);
export type Lists<C extends CollectionSchema> = { list: C; union: UnionSchema };
export const union = new schema.Union({ todo: Todo }, 'type');
export interface Own extends DataProviderProps {
  path: ListPath<'/todo/:id'>;
}
export const make = (options: ResourceOptions<string, Schema>): Resource<string, Schema> => resource(options);
