import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
  build: {
    rollupOptions: {
      input: 'entry-client.tsx',
      output: { entryFileNames: 'page.js' },
    },
  },
  // Where Vite looks for packages to prepare at the start, as there is no
  // index.html.
  optimizeDeps: { entries: ['entry-client.tsx'] },
  // While you develop. In production a proxy in front of the server does the
  // same.
  server: {
    proxy: { '/api/': process.env['BACKEND'] ?? 'http://127.0.0.1:3001' },
  },
})
