import type { Api } from '@selfsame/conformance'
import type { Controller } from '@selfsame/core'
import { flushSync, mount, unmount } from 'svelte'
import type { Component } from 'svelte'
import MarkupPage from './MarkupPage.svelte'

/** A mounted component. */
export interface Page {
  /** Its whole text. */
  text(): string
  /** The text of its `<output>`. */
  output(): string
  /** Changes its `id`. */
  change(id: number): void
  /** Unmounts it, if it is mounted. */
  unmount(): Promise<void>
}

/** Mounts a component in a provider and a boundary. Compiled together with the components. */
export function mountPage(
  User: Component<{ readonly api: Api; readonly id: number }>,
  { api, controller }: { readonly api: Api; readonly controller: Controller },
): Page {
  const target = document.body.appendChild(document.createElement('main'))
  let id = $state(5)
  const page = mount(MarkupPage, {
    target,
    props: {
      api,
      controller,
      User,
      get id() {
        return id
      },
    },
  })
  return {
    text: () => target.textContent ?? '',
    output: () => target.querySelector('output')?.textContent ?? '',
    change(next) {
      id = next
      flushSync()
    },
    async unmount() {
      if (!target.isConnected) return
      target.remove()
      await unmount(page)
    },
  }
}

export { flushSync }
