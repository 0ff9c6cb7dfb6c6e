import { Collection, Entity, Query, RestEndpoint, resource, schema } from '@data-client/rest';
import type { RestGenerics } from '@data-client/rest';

class AppEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
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
export const OwnEntity = schema.Entity(Own);

export const TodoResource = resource({
  path: '/todo/:id',
  searchParams: {} as { userId?: string } | undefined,
  schema: Todo,
  Endpoint: AppEndpoint,
  optimistic: true,
}).extend(Base => ({
  vote: Base.get.extend({
    path: '/todo/:id/vote',
    method: 'POST',
    body: undefined,
    getOptimisticResponse(snapshot, { id }) {
      const todo = snapshot.get(Todo, { id });
      return todo && { id, votes: todo.votes + 1 };
    },
  }),
}));

export const getFeed = new RestEndpoint({
  path: '/feed',
  schema: new Collection([Todo]),
  getOptimisticResponse: (snap, params) => ({ ...params }),
});

export const openTodos = new schema.Query(new schema.All(Todo), todos => todos.filter(todo => todo.votes > 0));
export const allTodos = new Query(new schema.All(Todo), todos => todos);
