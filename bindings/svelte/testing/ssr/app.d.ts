/** `App.svelte` or `../async/ssr/App.svelte`, as the build selects. */
declare module 'app' {
  import type { Component } from 'svelte'

  const App: Component<{ readonly user: string }>
  export default App
}
