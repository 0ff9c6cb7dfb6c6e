import { nextTask } from '@selfsame/conformance/next-task'
import { describeUsedAtRandom } from '@selfsame/conformance/used-at-random'
import { render } from '@testing-library/svelte'
import { tick } from 'svelte'
import UsedAtRandom from '../testing/UsedAtRandom.svelte'

describeUsedAtRandom(async (app) => {
  const { container, rerender, unmount } = render(UsedAtRandom, { props: app })
  const settle = async () => {
    for (let turn = 0; turn < 3; turn++) {
      await nextTask()
      await tick()
    }
  }
  await settle()
  return {
    screen: container,
    go: (place) => rerender({ place }),
    settle,
    async unmount() {
      unmount()
    },
  }
})
