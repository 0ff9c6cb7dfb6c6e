import { Controller } from '@selfsame/core'
import { DataProvider } from '@selfsame/react'
import { hydrateAsItArrives } from '@selfsame/react/ssr'
import { hydrateRoot } from 'react-dom/client'
import { App } from './App.js'

const controller = new Controller()
hydrateAsItArrives(controller)
hydrateRoot(
  document,
  <DataProvider controller={controller}>
    <App />
  </DataProvider>,
)
