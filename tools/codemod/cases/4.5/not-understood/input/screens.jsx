import { Resource, useCache, useFetcher, useInvalidator, useResource } from 'rest-hooks';

class Article extends Resource {
  id = '';
  author = '';
  pk() {
    return this.id;
  }
  static urlRoot = '/article';
  static schema = { author: Article };
}

class Todo extends Resource {
  id = '';
  pk() {
    return this.id;
  }
  static urlRoot = '/todo';
  static detailShape() {
    const shape = super.detailShape();
    return { ...shape, fetch: async () => ({}) };
  }
}

export function Screen({ shape }) {
  const article = useResource(Article.detailShape(), { id: 'a' });
  const detail = useResource(Todo.detailShape(), { id: 'a' });
  const cached = useCache(Todo.detailShape(), { id: 'a' });
  const list = useResource(Todo.listShape(), {});
  const given = useResource(shape, {});
  const create = useFetcher(Todo.createShape());
  const update = useFetcher(Todo.updateShape());
  const throttled = useFetcher(Todo.listShape(), true);
  const invalidate = useInvalidator(Todo.listShape());
  const key = Todo.listShape().getFetchKey({});
  return [
    () => create({}, {}, [[Todo.listShape(), {}, (id, ids) => [...ids, id]]]),
    () => update({ id: 'a' }, {}),
    invalidate,
  ];
}
