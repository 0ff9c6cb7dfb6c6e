import { useDebounce } from '@selfsame/react'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { AuthorSelect } from '../parts/AuthorSelect.js'
import type { Filters } from './ArticlesScreen.js'

/** Writes the text to the URL when the user pauses. The list reads it from the URL. */
export function ArticleFilters({ filters }: { readonly filters: Filters }) {
  const [, setParams] = useSearchParams()
  const inAddress = filters.q ?? ''
  const [text, setText] = useState(inAddress)
  const [known, setKnown] = useState(inAddress)
  const { value: settled } = useDebounce(text, 300)

  // The browser's Back and links change the text too.
  if (inAddress !== known) {
    setKnown(inAddress)
    setText(inAddress)
  }
  useEffect(
    () => setParams((params) => withParam(params, 'q', settled), { replace: true }),
    [settled, setParams],
  )

  return (
    <form role="search" className="toolbar" onSubmit={(event) => event.preventDefault()}>
      <label className="field">
        Search titles
        <input type="search" value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      <AuthorSelect
        label="Author"
        none="All authors"
        value={filters.author}
        onChange={(id) => setParams((params) => withParam(params, 'author', id), { replace: true })}
      />
    </form>
  )
}

function withParam(
  params: URLSearchParams,
  name: string,
  value: string | number | undefined,
): URLSearchParams {
  const changed = new URLSearchParams(params)
  if (value === undefined || value === '') changed.delete(name)
  else changed.set(name, String(value))
  return changed
}
