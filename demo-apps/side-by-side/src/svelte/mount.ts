import { mount } from 'svelte'
import App from './App.svelte'

export function mountSvelte(target: HTMLElement): void {
  mount(App, { target })
}
