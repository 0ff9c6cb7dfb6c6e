import type { TestProject } from 'vitest/node'
import { installFixture } from './fixture.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether the fixture could be installed. */
    readonly hasReact18: boolean
  }
}

/** Installs React 18 before the tests that take it from `conformance/fixtures/react-18`. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide('hasReact18', (await installFixture('react-18')) !== undefined)
}
