import { chromiumArgs, chromiumPath } from '@selfsame/conformance/chromium'
import { createServer } from '@selfsame/demo-server'
import { chromium } from 'playwright'
import type { TestProject } from 'vitest/node'
// It is read without the condition of the sources, so it imports no package of ours.
import { applicationSizes } from '../server/sizes.js'

/** Starts what the tests of all applications share: a REST server and a browser. */
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
