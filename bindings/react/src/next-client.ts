'use client'

export { ClientRoot } from './next/client-root.js'
export type { ClientRootProps } from './next/client-root.js'
