/// <reference types="vite/client" />
import { Controller } from '@selfsame/core'

export const controller = new Controller()
if (import.meta.env.DEV)
  (await import('@selfsame/devtools')).devtools(controller)
