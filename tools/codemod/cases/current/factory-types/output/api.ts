import { Entity } from '@selfsame/core';
import type { Schema, CollectionSchema } from '@selfsame/core';
import { optimistic } from '@selfsame/core/optimistic';
import { RestEndpoint, resource } from '@selfsame/core/rest';
import type { ResourceOptions, AnySearchParams, Extendable, ResourceMembers, RestOptions, ListPath, Resource } from '@selfsame/core/rest';

export class AppEndpoint<O extends RestOptions = any> extends RestEndpoint<O> {
  urlPrefix = 'https://api.example.com';
}

/** The resources of this API. */
export function appResource<const Path extends string, const S extends Schema, const Search extends object = AnySearchParams, const Field extends string = 'cursor'>(
  options: ResourceOptions<Path, S, Search, Field>,
): Resource<Path, S, Search, Field> {
  return resource({
    ...options,
    Endpoint: AppEndpoint,
  }).extend(base => ({
    partialUpdate: base.partialUpdate.extend({
      process(response: any, ...args: any[]) {
        return { ...response, id: args?.[0]?.id };
      },
    }),
  })) as any;
}

export interface PagedResource<Path extends string = string, S extends Schema = Schema, Search extends object = AnySearchParams, Field extends string = 'page'> extends Omit<Resource<Path, S, Search, Field>, 'getList' | 'extend'>, Extendable<
  Omit<ResourceMembers<Path, S, Search, Field>, 'getList'> & {
  getList: RestEndpoint<{
    readonly path: ListPath<Path>;
    readonly schema: { results: CollectionSchema<readonly [S]>; link: string };
    readonly paginationField: 'page';
    readonly method: 'GET';
    readonly searchParams: Search;
    readonly memberPath: Path;
  }>;
}
> {
  getList: RestEndpoint<{
    readonly path: ListPath<Path>;
    readonly schema: { results: CollectionSchema<readonly [S]>; link: string };
    readonly paginationField: 'page';
    readonly method: 'GET';
    readonly searchParams: Search;
    readonly memberPath: Path;
  }>;
}

export const pagedResource = <const Path extends string, const S extends Schema, const Search extends object = AnySearchParams, const Field extends string = 'page'>(options: ResourceOptions<Path, S, Search, Field>): PagedResource<Path, S, Search, Field> => {
  const made = resource({ paginationField: 'page', ...options });
  return made.extend(base => ({
    getList: base.getList.extend(
      { schema: { results: made.getList.schema as CollectionSchema<readonly [S]>, link: '' } },
    ),
  })) as any;
};

export class Todo extends Entity {
  id = 0;
  title = '';
}
export const TodoResource = appResource({ path: '/todo/:id', schema: Todo, optimistic });
export const PagedTodos = pagedResource({ path: '/paged/:id', schema: Todo });

export const todo: Promise<Todo> = TodoResource.get({ id: 5 });
export const todos: Promise<{ results: Todo[]; link: string }> = PagedTodos.getList({ page: '2' });
export const SearchedTodos = pagedResource({ path: '/searched/:id', schema: Todo }).extend(({ getList }) => ({
  search: getList.extend({ path: '/search' }),
}));
export const found: Promise<{ results: Todo[] }> = SearchedTodos.search({ text: 'a' });
