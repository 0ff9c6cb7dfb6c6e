import { Controller } from '@selfsame/core'
import { DataProvider } from '@selfsame/react'
import type { ReactNode } from 'react'
import { Counts } from '../counts.js'

export const counts = new Counts()
const controller = new Controller({ fetch: counts.fetch })

export function Provider({ children }: { readonly children: ReactNode }) {
  return <DataProvider controller={controller}>{children}</DataProvider>
}
