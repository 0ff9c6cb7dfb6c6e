import type { Controller } from '@selfsame/core'
import { DataProvider } from '@selfsame/react'
import { SelfsameDevtools } from '@selfsame/react/devtools'
import { createRoot } from 'react-dom/client'

/** Opens the panel, beside the application: a server renders none. */
export function openPanel(controller: Controller): void {
  createRoot(document.createElement('div')).render(
    <DataProvider controller={controller}>
      <SelfsameDevtools isOpen />
    </DataProvider>,
  )
}
