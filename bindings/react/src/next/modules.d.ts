// The parts of Next that the entry `next` uses. Next is not installed here: the fixture `conformance/fixtures/next` compiles and runs
// the entry with the real one.

declare module 'next/headers' {
  export function headers(): Promise<Headers>
}

declare module 'next/server' {
  export function after(task: () => void): void
}

declare module 'next/navigation' {
  import type { ReactNode } from 'react'

  export function useServerInsertedHTML(insert: () => ReactNode): void
}
