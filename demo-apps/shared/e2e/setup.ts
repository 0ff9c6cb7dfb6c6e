import { chromiumArgs, chromiumPath } from '@selfsame/conformance/chromium'
import { createServer } from '@selfsame/demo-server'
import { chromium } from 'playwright'
import type { TestProject } from 'vitest/node'
// Imports no package of this repository, because it is loaded without the condition for their sources.
import { applicationSizes } from '../server/sizes.js'

/** Starts the REST server and the browser that the tests of all applications share. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [rest, browser] = await Promise.all([
    createServer({ sizes: applicationSizes }),
    chromium.launchServer({ executablePath: chromiumPath, args: chromiumArgs }),
  ])
  project.provide('restUrl', rest.url)
  project.provide('browser', browser.wsEndpoint())
  return async () => {
    await Promise.all([rest.close(), browser.close()])
  }
}
