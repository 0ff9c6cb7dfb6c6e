import { createApp } from 'vue'
import { dataPlugin } from '@selfsame/vue'
import { controller } from '../api.js'
import Pane from './Pane.vue'

export function mountVue(target: HTMLElement): void {
  createApp(Pane).use(dataPlugin, { controller }).mount(target)
}
