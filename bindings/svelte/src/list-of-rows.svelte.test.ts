import { Controller } from '@selfsame/core'
import { ManualClock } from '@selfsame/conformance/clock'
import { createApi, routeSamples, todoFields } from '@selfsame/conformance/fixtures'
import { describeListOfRows } from '@selfsame/conformance/list-of-rows'
import { Server } from '@selfsame/conformance/server'
import { render } from '@testing-library/svelte'
import { tick } from 'svelte'
import { expect, test } from 'vitest'
import FirstRow from '../testing/FirstRow.svelte'
import ListOfRows from '../testing/ListOfRows.svelte'

async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) {
    await new Promise((resolve) => setTimeout(resolve))
    await tick()
  }
}

const textsIn = (container: Element) =>
  [...container.querySelectorAll('i')].map(({ textContent }) => textContent ?? '')

describeListOfRows(async (page) => {
  const { container } = render(ListOfRows, { props: page })
  return {
    texts: () => textsIn(container),
    retry: () => container.querySelector('button')?.click(),
    settle,
  }
})

// Svelte reads the arguments of a child in the effects of that child, which it finishes after it has removed the content.
test.each(['useSuspense', 'useSuspenseAll', 'useDLE', 'useFetch'] as const)(
  'a child that reads by %s what its parent shows is not fetched beside it after a reset',
  async (hook) => {
    const server = new Server(new ManualClock())
    routeSamples(server)
    const controller = new Controller()
    const api = createApi(server)
    const { container } = render(FirstRow, {
      props: { api, controller, hook, areAlone: false, onRow: () => {} },
    })
    await settle()
    expect(textsIn(container)).toEqual(['Todo 5'])
    server.requests.length = 0
    server.route('GET /todo', [todoFields(6, { title: 'New 6' })])
    controller.resetAll()
    await settle()
    await settle()
    expect(textsIn(container)).toEqual(['New 6'])
    expect(server.requests).toEqual(['GET /todo'])
  },
)
