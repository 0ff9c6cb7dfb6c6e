import { Controller } from '@selfsame/core'
import { mount } from '@vue/test-utils'
import { expect, onTestFinished, test } from 'vitest'
import { h } from 'vue'
import { SelfsameDevtools } from './devtools.js'
import { DataProvider } from './index.js'

test('puts a button on the page, and takes it away', () => {
  const controller = new Controller()
  onTestFinished(() => controller.dispose())
  const page = mount(DataProvider, {
    props: { controller },
    slots: { default: () => h(SelfsameDevtools, { name: 'Cache' }) },
  })
  expect(document.querySelector('selfsame-devtools')?.shadowRoot?.textContent).toBe('Cache')
  page.unmount()
  expect(document.querySelector('selfsame-devtools')).toBeNull()
})
