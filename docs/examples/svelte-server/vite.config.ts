import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

// vite build --outDir dist/client && vite build --outDir dist/server --ssr server.ts
export default defineConfig({ plugins: [svelte()] })
