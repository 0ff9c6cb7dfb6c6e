import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
  build: { rollupOptions: { input: 'entry-client.tsx', output: { entryFileNames: 'page.js' } } },
})
