import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { DataProvider } from '@selfsame/react'
import { controller } from '../api.js'
import { Pane } from './Pane.js'

export function mountReact(target: HTMLElement): void {
  createRoot(target).render(
    <StrictMode>
      <DataProvider controller={controller}>
        <Pane />
      </DataProvider>
    </StrictMode>,
  )
}
