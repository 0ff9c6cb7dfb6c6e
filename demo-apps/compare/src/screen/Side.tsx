import { useEffect, useRef } from 'react'
import type { Counts } from '../counts.js'
import type { Library } from './library.js'
import { LibraryContext } from './library-context.js'
import { Screen } from './Screen.js'

/** The screen with one library, and its counts. */
export function Side({ library }: { readonly library: Library }) {
  const { counts, name, Provider } = library
  return (
    <section className="side" aria-label={name}>
      <header>
        <h2>{name}</h2>
        <p className="counts">
          <Count counts={counts} of="requests" /> requests, <Count counts={counts} of="renders" /> renders
        </p>
        <button type="button" className="button" onClick={counts.reset}>
          Reset counts
        </button>
      </header>
      <LibraryContext value={library}>
        <Provider>
          <Screen />
        </Provider>
      </LibraryContext>
    </section>
  )
}

/** Updates a number without rendering, because renders are counted. */
function Count({ counts, of }: { readonly counts: Counts; readonly of: 'requests' | 'renders' }) {
  const output = useRef<HTMLOutputElement>(null)
  useEffect(() => {
    const show = () => {
      if (output.current === null) return
      output.current.textContent = String(counts[of])
      output.current.toggleAttribute('data-under-way', counts.underWay > 0)
    }
    show()
    return counts.subscribe(show)
  }, [counts, of])
  return <output ref={output} aria-live="off" aria-label={of} />
}
