import { Collection, Entity, GetEndpoint, resource, RestEndpoint, RestGenerics, Schema, ShortenPath } from '@data-client/rest';
import type { Resource, ResourceGenerics, ResourceOptions } from '@data-client/rest';

export class AppEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  urlPrefix = 'https://api.example.com';
}

/** The resources of this API. */
export function appResource<O extends ResourceGenerics = any>(
  options: Readonly<O> & ResourceOptions,
): Resource<O> {
  return resource({
    ...options,
    Endpoint: AppEndpoint,
  } as O).extend({
    partialUpdate: {
      process(response: any, ...args: any[]) {
        return { ...response, id: args?.[0]?.id };
      },
    },
  }) as any;
}

export interface PagedResource<
  O extends ResourceGenerics = { path: string; schema: Schema; paginationField: 'page' },
> extends Omit<Resource<O>, 'getList'> {
  getList: GetEndpoint<
    Omit<O, 'schema' | 'path'> & {
      readonly path: ShortenPath<O['path']>;
      readonly schema: { results: Collection<O['schema'][]>; link: string };
      readonly paginationField: 'page';
    }
  >;
}

export const pagedResource = <O extends ResourceGenerics>(options: O & ResourceOptions): PagedResource<O> => {
  const made = resource({ paginationField: 'page', ...options });
  return made.extend({
    getList: { schema: { results: made.getList.schema as Collection<O['schema'][]>, link: '' } },
  }) as any;
};

export class Todo extends Entity {
  id = 0;
  title = '';
}
export const TodoResource = appResource({ path: '/todo/:id', schema: Todo, optimistic: true });
export const PagedTodos = pagedResource({ path: '/paged/:id', schema: Todo });

export const todo: Promise<Todo> = TodoResource.get({ id: 5 });
export const todos: Promise<{ results: Todo[]; link: string }> = PagedTodos.getList({ page: '2' });
export const SearchedTodos = pagedResource({ path: '/searched/:id', schema: Todo }).extend(({ getList }) => ({
  search: getList.extend({ path: '/search' }),
}));
export const found: Promise<{ results: Todo[] }> = SearchedTodos.search({ text: 'a' });
