import {
  useCache,
  useError,
  useInvalidator,
  useResetter,
  useResource,
  useRetrieve,
} from '@selfsame/react/legacy'
import { Article, User } from './article.js'
import { Todo } from './todo.js'

export function Page({ id }: { id: number | undefined }) {
  const [articles, user] = useResource(
    [Article.listShape(), { page: 1 }],
    [User.detailShape(), id === undefined ? null : { id }],
  )
  const todo = useCache(Todo.detailShape(), { id: 5 })
  useRetrieve(Todo.listShape(), {})
  const error = useError(Todo.listShape(), {})
  const invalidate = useInvalidator(Article.listShape())
  const reset = useResetter()

  return (
    <section>
      {articles.results
        .map(({ title, author }) => `${title} by ${String(author)}`)
        .join(', ')}
      {`; ${user?.name ?? 'nobody'}; ${todo?.title ?? 'nothing'}; ${error?.message ?? 'fine'}`}
      <button onClick={() => invalidate({ page: 1 })}>Again</button>
      <button onClick={reset}>Sign out</button>
    </section>
  )
}
