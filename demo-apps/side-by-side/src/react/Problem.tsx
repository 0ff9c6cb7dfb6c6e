import { detailsOf, explain } from '../failure.js'

/** An error: a sentence for users, and the details for developers behind a disclosure. */
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
