import { chromiumArgs, chromiumPath } from '@selfsame/conformance/chromium'
import { chromium } from 'playwright'
import type { TestProject } from 'vitest/node'

/** Starts the browser that the tests of all applications share. Each file has a context of its own in it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const browser = await chromium.launchServer({
    executablePath: chromiumPath,
    // The pages of a context share a process, and the code that it has compiled.
    args: [...chromiumArgs, '--renderer-process-limit=1'],
  })
  project.provide('browser', browser.wsEndpoint())
  return () => browser.close()
}
