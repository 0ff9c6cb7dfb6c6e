import type { Library } from './library.js'
import { LibraryContext } from './library-context.js'
import { Screen } from './Screen.js'

/** The screen with one library. */
export function Side({ library }: { readonly library: Library }) {
  const { name, Provider } = library
  return (
    <section className="side" aria-label={name}>
      <h2>{name}</h2>
      <LibraryContext value={library}>
        <Provider>
          <Screen />
        </Provider>
      </LibraryContext>
    </section>
  )
}
