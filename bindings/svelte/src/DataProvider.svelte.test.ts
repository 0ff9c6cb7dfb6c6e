import { Controller } from '@selfsame/core'
import { render } from '@testing-library/svelte'
import { createRawSnippet } from 'svelte'
import { expect, onTestFinished, test, vi } from 'vitest'
import { DataProvider } from './index.js'

test('warns once of a Controller that is made in each render, which is not read', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warned.mockRestore())
  const children = createRawSnippet(() => ({ render: () => '<div></div>' }))
  const controller = new Controller()
  const page = render(DataProvider, { props: { controller, children } })
  await page.rerender({ controller })
  expect(warned).not.toHaveBeenCalled()
  for (let round = 0; round < 3; round++) await page.rerender({ controller: new Controller() })
  expect(warned.mock.calls).toEqual([
    [expect.stringContaining('The prop `controller` of <DataProvider> is read only once here')],
  ])
  page.unmount()
})
