import { Resource } from '@selfsame/core/legacy';
import { createResource } from '@selfsame/core/rest';
import { useController, useSuspense } from '@selfsame/react';
import { useCache as useShapeCache, useFetcher, useInvalidator, useResource } from '@selfsame/react/legacy';

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

const todoResource = createResource({
  path: '/todo/:id',
  schema: Todo,
});

export function Screen({ shape }) {
  const article = useResource(Article.detailShape(), { id: 'a' });
  const detail = useResource(Todo.detailShape(), { id: 'a' });
  const cached = useShapeCache(Todo.detailShape(), { id: 'a' });
  const list = useSuspense(todoResource.getList, {});
  const given = useResource(shape, {});
  const create = useFetcher(Todo.createShape());
  const controller = useController();
  const invalidate = useInvalidator(Todo.listShape());
  const key = Todo.listShape().getFetchKey({});
  return [
    () => create({}, {}, [[Todo.listShape(), {}, (id, ids) => [...ids, id]]]),
    () => controller.fetch(todoResource.update, { id: 'a' }, {}),
    invalidate,
  ];
}
