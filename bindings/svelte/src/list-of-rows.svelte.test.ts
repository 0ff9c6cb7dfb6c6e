import { describeListOfRows } from '@selfsame/conformance/list-of-rows'
import { render } from '@testing-library/svelte'
import { tick } from 'svelte'
import ListOfRows from '../testing/ListOfRows.svelte'

describeListOfRows(async (page) => {
  const { container } = render(ListOfRows, { props: page })
  return {
    texts: () => [...container.querySelectorAll('i')].map(({ textContent }) => textContent ?? ''),
    retry: () => container.querySelector('button')?.click(),
    async settle() {
      for (let turn = 0; turn < 4; turn++) {
        await new Promise((resolve) => setTimeout(resolve))
        await tick()
      }
    },
  }
})
