import { Profiler, useState } from 'react'
import { ArticleDetail } from './ArticleDetail.js'
import { ArticleList } from './ArticleList.js'
import { AuthorSelect } from './AuthorSelect.js'
import type { Filter } from './library.js'
import { useLibrary } from './library-context.js'
import { NewArticleForm } from './NewArticleForm.js'
import { useDebounced } from './use-debounced.js'

/** The list with its filter, and beside it an article or the form for a new one. */
export function Screen() {
  const { counts } = useLibrary()
  const [author, setAuthor] = useState<number>()
  const [text, setText] = useState('')
  const [isLive, setIsLive] = useState(false)
  const [shown, setShown] = useState<number | 'new'>()
  const q = useDebounced(text, 300)
  const filter = { ...(author !== undefined && { author }), ...(q !== '' && { q }) }

  return (
    <>
      <div className="toolbar">
        <input
          type="search"
          aria-label="Search in titles"
          placeholder="Search in titles"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <AuthorSelect label="Filter by author" none="All authors" value={author} onChange={setAuthor} />
        <label className="live">
          <input type="checkbox" checked={isLive} onChange={(event) => setIsLive(event.target.checked)} />
          Live
        </label>
        <button type="button" className="button" onClick={() => setShown('new')}>
          New article
        </button>
      </div>
      {isLive && <Live filter={filter} />}
      <div className="columns">
        <Profiler id="list" onRender={counts.onRender}>
          <ArticleList filter={filter} shown={shown} onSelect={setShown} />
        </Profiler>
        <Profiler id="detail" onRender={counts.onRender}>
          {shown === 'new' ? (
            <NewArticleForm onEnd={setShown} />
          ) : shown === undefined ? (
            <p className="hint">Select an article.</p>
          ) : (
            <ArticleDetail key={shown} id={shown} onGone={() => setShown(undefined)} />
          )}
        </Profiler>
      </div>
    </>
  )
}

function Live({ filter }: { readonly filter: Filter }) {
  useLibrary().useLive(filter)
  return undefined
}
