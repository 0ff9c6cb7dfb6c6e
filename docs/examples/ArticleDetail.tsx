import {
  AsyncBoundary,
  DataProvider,
  useController,
  useLoading,
  useSuspense,
} from '@selfsame/react'
import { articleResource } from './articles.js'

function ArticleDetail({ id }: { id: number }) {
  const article = useSuspense(articleResource.get, { id })
  const controller = useController()
  const { run: rename, error } = useLoading((title: string) =>
    controller.fetch(articleResource.partialUpdate, { id }, { title }),
  )
  return (
    <>
      <input
        key={article.title}
        defaultValue={article.title}
        onBlur={(event) => rename(event.target.value)}
      />
      {error && <p role="alert">{error.message}</p>}
    </>
  )
}

export const App = () => (
  <DataProvider>
    <AsyncBoundary fallback={<p>Loading</p>}>
      <ArticleDetail id={5} />
    </AsyncBoundary>
  </DataProvider>
)
