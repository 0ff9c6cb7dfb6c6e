import { Endpoint } from '@selfsame/core'
import { DataProvider, useDLE } from '@selfsame/react'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { controller } from './native-controller.js'
import { device } from './native-device.js'

// The sample of docs/react-native.md, with modules of the shape that it uses of
// React Native and NetInfo.

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const turnTo = (state: 'active' | 'background') =>
  act(async () => device.turnTo(state))
const connect = (isConnected: boolean) =>
  act(async () => device.connect(isConnected))

test('what is Stale is fetched when the app comes to the front, and when the network is back', async () => {
  let requests = 0
  // Stale as soon as it is there.
  const getPrice = new Endpoint(async () => ({ text: `price ${++requests}` }), {
    name: 'getPrice',
    dataExpiryLength: 0,
  })
  function Price() {
    return <p>{useDLE(getPrice).data?.text}</p>
  }
  const container = document.createElement('div')
  const root = createRoot(container)
  await act(async () =>
    root.render(
      <DataProvider controller={controller}>
        <Price />
      </DataProvider>,
    ),
  )
  await vi.waitFor(() => expect(container.textContent).toBe('price 1'))

  await turnTo('background')
  expect(requests).toBe(1)
  await turnTo('active')
  await vi.waitFor(() => expect(container.textContent).toBe('price 2'))

  await connect(false)
  await turnTo('background')
  await turnTo('active')
  expect(requests).toBe(2)
  await connect(true)
  await vi.waitFor(() => expect(container.textContent).toBe('price 3'))
  expect(requests).toBe(3)

  await act(async () => root.unmount())
  await turnTo('background')
  await turnTo('active')
  expect(requests).toBe(3)
})
