import { Controller } from '@selfsame/core'
import { DataProvider } from '@selfsame/react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Counts } from '../counts.js'

export const counts = new Counts()

export function Provider({ children }: { readonly children: ReactNode }) {
  const [controller] = useState(() => new Controller({ fetch: counts.fetch }))
  return <DataProvider controller={controller}>{children}</DataProvider>
}
