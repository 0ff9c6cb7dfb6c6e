import { useRef, useState, useSyncExternalStore } from 'react'
import { AsyncBoundary, useCache, useController } from '@selfsame/react'
import type { Article, ArticleBody } from '@selfsame/demo-shared'
import { articleResource } from '../api.js'
import { PaneAddress } from '../page/address.js'
import { ArticleDetail } from './ArticleDetail.js'
import { ArticleForm } from './ArticleForm.js'
import { ArticleList } from './ArticleList.js'
import { DeletedNotice } from './DeletedNotice.js'
import { Failure } from './Failure.js'
import { Loading } from './Loading.js'

const address = new PaneAddress('react')

export function Pane() {
  const controller = useController()
  const articles = useCache(articleResource.getList)
  const { id, filter } = useSyncExternalStore(address.subscribe, address.read)
  const [isCreating, setIsCreating] = useState(false)
  const [deleted, setDeleted] = useState<Article>()
  const [takesFocus, setTakesFocus] = useState(false)
  const newButton = useRef<HTMLButtonElement>(null)
  // An article that any pane deleted is no longer in the list.
  const isGone = articles?.some((article) => article.id === id) === false
  const shownId = isGone ? undefined : id

  /** Shows an article, or none. */
  function select(wanted: number | undefined) {
    address.show(wanted)
    setIsCreating(false)
    setDeleted(undefined)
    setTakesFocus(false)
  }

  /** Shows an article in place of the focused element. */
  function open(wanted: number) {
    select(wanted)
    setTakesFocus(true)
  }

  async function create(body: ArticleBody) {
    const article = await controller.fetch(articleResource.create, body)
    if (article !== null) open(article.id)
  }

  function stopCreating() {
    setIsCreating(false)
    newButton.current?.focus()
  }

  async function remove(article: Article) {
    await controller.fetch(articleResource.delete, { id: article.id })
    select(undefined)
    setDeleted(article)
  }

  async function restore({ id: wanted }: Article) {
    await controller.fetch(articleResource.restore, { id: wanted })
    open(wanted)
  }

  return (
    <section className="pane" data-framework="react" aria-labelledby="react-title">
      <header className="pane-header">
        <div className="pane-title">
          <h2 id="react-title">React</h2>
          <span className="count">{articles && `${articles.length} articles`}</span>
        </div>
        <code className="idiom">{'useSuspense(articleResource.get, {\u00a0id\u00a0})'}</code>
      </header>
      <div className="toolbar">
        <input
          type="search"
          aria-label="Filter by title or author"
          placeholder="Filter by title or author"
          value={filter}
          onChange={(event) => address.filterBy(event.target.value)}
        />
        <button type="button" className="button" ref={newButton} onClick={() => setIsCreating(true)}>
          New
        </button>
      </div>
      <div className="list" tabIndex={-1}>
        <AsyncBoundary fallback={<Loading label="Loading articles" rows={5} />} errorFallback={Failure}>
          <ArticleList filter={filter} selectedId={shownId} onSelect={select} />
        </AsyncBoundary>
      </div>
      <div className="detail" tabIndex={-1}>
        {deleted && <DeletedNotice article={deleted} onUndo={restore} />}
        {isCreating ? (
          <ArticleForm onSave={create} onCancel={stopCreating} />
        ) : shownId !== undefined ? (
          <AsyncBoundary
            key={shownId}
            fallback={<Loading label="Loading the article" rows={4} />}
            errorFallback={Failure}
          >
            <ArticleDetail id={shownId} takesFocus={takesFocus} onOpen={open} onDelete={remove} />
          </AsyncBoundary>
        ) : (
          <p className="hint">Select an article to read and edit it.</p>
        )}
      </div>
    </section>
  )
}
