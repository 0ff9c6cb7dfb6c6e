import { demoHeader, startViteApplication, type StartApplication } from '@selfsame/demo-shared/server'

export const start: StartApplication = (options) =>
  startViteApplication({
    ...options,
    root: import.meta.dirname,
    plugins: [demoHeader('/rows/')],
    dependencies: ['@tanstack/virtual-core'],
  })
