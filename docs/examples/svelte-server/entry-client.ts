import { hydratePage } from '@selfsame/svelte/ssr'
import App from './App.svelte'

const target = document.querySelector('#app')
if (target !== null) hydratePage(App, { target })
