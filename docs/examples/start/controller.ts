/// <reference types="vite/client" />
import { Controller } from '@selfsame/core'

export const controller = new Controller()
if (import.meta.env.DEV) void import('@selfsame/devtools').then(({ devtools }) => devtools(controller))
