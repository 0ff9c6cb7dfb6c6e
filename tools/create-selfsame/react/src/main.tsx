import { DataProvider } from '@selfsame/react'
import { createRoot } from 'react-dom/client'
import { controller } from './api'
import { App } from './App'
import './style.css'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id "root".')

createRoot(root).render(
  <DataProvider controller={controller}>
    <App />
  </DataProvider>,
)
