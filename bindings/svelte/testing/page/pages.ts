import { mount, unmount } from 'svelte'
import type { RootProps } from './props.js'
import Root from './Root.svelte'
import Table from './Table.svelte'

/** @returns a function that unmounts the page */
export function mountRoot(props: RootProps, target: Element = document.body): () => Promise<void> {
  const page = mount(Root, { target, props })
  return () => unmount(page)
}

/** @returns a function that unmounts the page */
export function mountTable(props: RootProps, target: Element = document.body): () => Promise<void> {
  const page = mount(Table, { target, props })
  return () => unmount(page)
}
