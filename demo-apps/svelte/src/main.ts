import { Controller } from '@selfsame/core'
import { middlewareOfPage, moveBetweenScreens, tokenOf } from '@selfsame/demo-shared/application'
import { startStrip } from '@selfsame/demo-shared/strip'
import { hydratePage } from '@selfsame/svelte/ssr'
import { mount } from 'svelte'
import App from './App.svelte'

const controller = new Controller({ middleware: middlewareOfPage() })
startStrip(controller, () => import('./panel.js'))
moveBetweenScreens()
const target = document.querySelector('#app')
if (target === null) throw new Error('The page has no element #app.')

const props = {
  controller,
  base: import.meta.env.BASE_URL,
  url: new URL(location.href),
  token: tokenOf(document.cookie),
}
if (target.firstElementChild === null) mount(App, { target, props })
else hydratePage(App, { target, props, controller })
