import { useState } from 'react'
import { AsyncBoundary, useCache, useController } from '@selfsame/react'
import type { ArticleBody } from '@selfsame/demo-shared'
import { articleResource } from '../api.js'
import { ArticleDetail } from './ArticleDetail.js'
import { ArticleForm } from './ArticleForm.js'
import { ArticleList } from './ArticleList.js'
import { Failure } from './Failure.js'
import { Loading } from './Loading.js'

export function Pane() {
  const controller = useController()
  const articles = useCache(articleResource.getList)
  const [filter, setFilter] = useState('')
  const [selectedId, setSelectedId] = useState<number>()
  const [isCreating, setIsCreating] = useState(false)
  // An article that was deleted, in this pane or another, is in the list no more.
  const isGone = articles?.some(({ id }) => id === selectedId) === false
  const shownId = isGone ? undefined : selectedId

  function select(id: number | undefined) {
    setSelectedId(id)
    setIsCreating(false)
  }

  async function create(body: ArticleBody) {
    const article = await controller.fetch(articleResource.create, body)
    if (article !== null) select(article.id)
  }

  return (
    <section className="pane" data-framework="react" aria-labelledby="react-title">
      <header className="pane-header">
        <div className="pane-title">
          <h2 id="react-title">React</h2>
          <span className="count">{articles && `${articles.length} articles`}</span>
        </div>
        <code className="idiom">{'useSuspense(articleResource.get, { id })'}</code>
      </header>
      <div className="toolbar">
        <input
          type="search"
          aria-label="Filter by title or author"
          placeholder="Filter by title or author"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        <button type="button" className="button" onClick={() => setIsCreating(true)}>
          New
        </button>
      </div>
      <div className="list">
        <AsyncBoundary fallback={<Loading label="Loading articles" rows={5} />} errorFallback={Failure}>
          <ArticleList filter={filter} selectedId={shownId} onSelect={select} />
        </AsyncBoundary>
      </div>
      <div className="detail">
        {isCreating ? (
          <ArticleForm onSave={create} onCancel={() => setIsCreating(false)} />
        ) : shownId !== undefined ? (
          <AsyncBoundary
            key={shownId}
            fallback={<Loading label="Loading the article" rows={4} />}
            errorFallback={Failure}
          >
            <ArticleDetail id={shownId} onSelect={select} />
          </AsyncBoundary>
        ) : (
          <p className="hint">Select an article to read and edit it.</p>
        )}
      </div>
    </section>
  )
}
