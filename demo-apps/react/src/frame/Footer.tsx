/** The other applications are not this one's routes: their links leave the page. */
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
