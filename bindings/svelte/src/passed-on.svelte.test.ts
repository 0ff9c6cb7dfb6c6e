import { nextTask } from '@selfsame/conformance/next-task'
import { describePassedOn } from '@selfsame/conformance/passed-on'
import { render } from '@testing-library/svelte'
import { tick } from 'svelte'
import { describe } from 'vitest'
import PassedOn from '../testing/PassedOn.svelte'

describe.each([false, true])('by a $derived: %s', (isDerived) => {
  describePassedOn(async (page) => {
    const { container, rerender } = render(PassedOn, { props: { ...page, isDerived } })
    return {
      screen: container,
      go: (userId) => rerender({ userId }),
      async settle() {
        for (let turn = 0; turn < 4; turn++) {
          await nextTask()
          await tick()
        }
      },
    }
  })
})
