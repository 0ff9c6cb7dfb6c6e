import { mount as mountSvelte, unmount } from 'svelte'
import type { Component } from 'svelte'
import type { Mount } from './run.js'
import Stage from './Stage.svelte'

export const mount: Mount<Component> = (target, content, given, controller) => {
  const stage = mountSvelte(Stage, { target, props: { content, given, controller } })
  return () => void unmount(stage)
}
