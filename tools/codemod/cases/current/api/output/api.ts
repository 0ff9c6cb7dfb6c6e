import { EntityMixin, Query, schema, Entity } from '@selfsame/core';
import { optimistic } from '@selfsame/core/optimistic';
import { RestEndpoint, resource } from '@selfsame/core/rest';
import type { RestOptions } from '@selfsame/core/rest';

class AppEndpoint<O extends RestOptions = any> extends RestEndpoint<O> {
  urlPrefix = 'https://api.example.com';
}

export class User extends Entity {
  id = '';
  name = '';
  static key = 'User';
}

export class Todo extends Entity {
  id = 0;
  title = '';
  votes = 0;
  user = User.fromJS();
  static key = 'Todo';
  static schema = { user: User };
}

class Own {
  id = '';
}
export const OwnEntity = EntityMixin(Own);

export const TodoResource = resource({
  path: '/todo/:id',
  searchParams: {} as { userId?: string } | undefined,
  schema: Todo,
  Endpoint: AppEndpoint,
  optimistic,
}).extend(Base => ({
  vote: Base.get.extend({
    path: '/todo/:id/vote',
    method: 'POST',
    body: undefined,

    getOptimisticResponse: optimistic((snapshot, { id }) => {
      const todo = snapshot.get(Todo, { id });
      return todo && { id, votes: todo.votes + 1 };
    }),
  }),
}));

export const getFeed = new RestEndpoint({
  path: '/feed',
  schema: new schema.Collection([Todo]),
  getOptimisticResponse: optimistic((snap, params) => ({ ...params })),
});

export const openTodos = new Query(new schema.All(Todo), todos => todos.filter(todo => todo.votes > 0));
export const allTodos = new Query(new schema.All(Todo), todos => todos);
