import { Controller } from '@selfsame/core'
import { render } from '@testing-library/svelte'
import { createRawSnippet, mount, unmount } from 'svelte'
import { expect, onTestFinished, test } from 'vitest'
import { SelfsameDevtools } from './devtools.js'
import { DataProvider } from './index.js'

test('puts a button on the page, and takes it away', () => {
  const controller = new Controller()
  onTestFinished(() => controller.dispose())
  const children = createRawSnippet(() => ({
    render: () => '<div></div>',
    setup(target) {
      const shown = mount(SelfsameDevtools, { target, props: { name: 'Cache' } })
      return () => void unmount(shown)
    },
  }))
  const page = render(DataProvider, { props: { controller, children } })
  expect(document.querySelector('selfsame-devtools')?.shadowRoot?.textContent).toBe('Cache')
  page.unmount()
  expect(document.querySelector('selfsame-devtools')).toBeNull()
})
