import type { Controller, ReadEndpoint } from '@selfsame/core'
import { mount, unmount } from 'svelte'
import { useSuspense } from '../../src/index.js'
import { renderDataHook } from '../../src/testing.svelte.js'
import type { RenderDataHookOptions } from '../../src/testing.svelte.js'
import { createDriver } from '../../conformance-driver.js'
import AsyncPage from './AsyncPage.svelte'
import AsyncReader from './AsyncReader.svelte'

/** Svelte with its `experimental.async`; readers of `useSuspense` await their handles. */
export const asyncDriver = createDriver('svelte async', AsyncReader, {})

/** Mounts a page that awaits in markup, inside Svelte's own boundary. @returns a function that unmounts it */
export function mountPage(controller: Controller, endpoint: ReadEndpoint): () => Promise<void> {
  const page = mount(AsyncPage, { target: document.body, props: { controller, endpoint } })
  return () => unmount(page)
}

/** Mounts a reader by the helper with which users test their hooks. */
export function renderReader(endpoint: ReadEndpoint, options: RenderDataHookOptions) {
  return renderDataHook(() => useSuspense<ReadEndpoint, []>(endpoint), options)
}
