import { StrictMode } from 'react'
import { expect, test } from 'vitest'
import { actAlone, createStage, forbidConsole, openPage, settle } from '../test-app.js'
import { DataProvider, usePrefetch } from './index.js'

// Also run with React 18.

test('usePrefetch fetches on hover and on focus in StrictMode, and says nothing on the console', async () => {
  forbidConsole()
  const { api, controller, server } = createStage()
  function Link({ id }: { readonly id: number }) {
    const { onIntent, onView } = usePrefetch(api.todo.get, { id })
    return (
      <a href="/todo" ref={onIntent}>
        <b ref={onView}>{id}</b>
      </a>
    )
  }
  const page = await openPage(
    <StrictMode>
      <DataProvider controller={controller}>
        <Link id={5} />
        <Link id={6} />
      </DataProvider>
    </StrictMode>,
  )
  expect(server.requests).toEqual([])
  const [first, second] = page.container.querySelectorAll('a')
  await actAlone(() => void first?.dispatchEvent(new Event('pointerenter')))
  await settle()
  expect(server.requests).toEqual(['GET /todo/5'])
  await actAlone(() => void second?.dispatchEvent(new Event('focusin')))
  await settle()
  expect(server.requests).toEqual(['GET /todo/5', 'GET /todo/6'])
  await page.unmount()
  first?.dispatchEvent(new Event('pointerenter'))
  expect(server.requests).toEqual(['GET /todo/5', 'GET /todo/6'])
})
