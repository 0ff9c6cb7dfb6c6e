import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['selfsame-source', 'module', 'development|production'] },
  test: { environment: 'happy-dom', include: ['**/*.test.tsx'] },
})
