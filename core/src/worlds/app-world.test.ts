import { expect, test, vi } from 'vitest'
import { runAppWorlds } from './testing-worlds.js'

/** The same each time: `app-world.long.test.ts` looks for other cases. */
test('an application shows what its server has, whatever happens in whatever order', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})

  const most = await runAppWorlds(200)

  // Each answer to a mutation that was under way beside a read may ask once more.
  expect(most).toBeLessThan(9)
  vi.restoreAllMocks()
})
