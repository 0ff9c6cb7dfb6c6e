/** `App.svelte` or `../async/ssr/App.svelte`: what is built says which. */
declare module 'app' {
  import type { Component } from 'svelte'

  const App: Component<{ readonly user: string }>
  export default App
}
