import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Counts } from '../counts.js'

export const counts = new Counts()
const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } })

export function Provider({ children }: { readonly children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
}
