import { detailsOf, explain } from '../failure.js'

/** What went wrong: a sentence for users, the text for developers behind a disclosure. */
export function Problem({ error }: { readonly error: unknown }) {
  return (
    <>
      <p>{explain(error)}</p>
      <details>
        <summary>For developers</summary>
        <pre>{detailsOf(error)}</pre>
      </details>
    </>
  )
}
