import { startViteApplication, type StartApplication } from '@selfsame/demo-shared/server'

export const start: StartApplication = (options) =>
  startViteApplication({
    ...options,
    root: import.meta.dirname,
    plugins: [],
    dependencies: ['@tanstack/virtual-core'],
  })
