import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [svelte()],
  // While you develop. In production a proxy in front of the server does the
  // same.
  server: {
    proxy: { '/api': process.env['BACKEND'] ?? 'http://127.0.0.1:3001' },
  },
})
