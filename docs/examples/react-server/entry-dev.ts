// What Vite otherwise adds to an index.html. It has to run before the first
// component is loaded.
import '@vitejs/plugin-react/preamble'
await import('./entry-client.js')
