import { Controller } from '@selfsame/core'

// What samples import from './controller'.

export const controller = new Controller()
