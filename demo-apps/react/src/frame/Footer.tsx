/** Links to the other applications load a new page, because they are not routes of this one. */
export function Footer() {
  return (
    <footer className="footer">
      <p>Written with React.</p>
      <a href="/react/">React</a>
      <a href="/vue/">Vue</a>
      <a href="/svelte/">Svelte</a>
      <a href="/side-by-side/">Side by side</a>
    </footer>
  )
}
