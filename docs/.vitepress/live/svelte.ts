import { mount as mountSvelte, unmount } from 'svelte'
import type { Component } from 'svelte'
import type { Mount } from './run.js'
import Stage from './Stage.svelte'

export const mount: Mount<Component> = (content, { target, props: given, controller, onError }) => {
  const stage = mountSvelte(Stage, { target, props: { content, given, controller, onError } })
  return () => void unmount(stage)
}
