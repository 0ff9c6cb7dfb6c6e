import { nextTask } from '../next-task.js'
import { Controller } from '@selfsame/core'
import { callsOf } from '@selfsame/core/bindings'
import type { ControllerOptions } from '@selfsame/core'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ManualClock } from '../clock.js'
import { createApi, routeSamples } from '../fixtures.js'
import type { Api } from '../fixtures.js'
import { Server } from '../server.js'
import { listenersOf, retainersOf } from '../suite.js'
import type { HydratedPage, Screen, ServedPage, ServerDriver } from './contract.js'

/** The scripted server and endpoints of one side: the rendering server, or the page. */
export interface Place {
  readonly server: Server
  readonly api: Api
}

/** A hydrated page on screen. */
export interface OpenPage extends Omit<HydratedPage, 'close'> {
  readonly controller: Controller
  /** The texts of its visible parts, by index. */
  texts(): readonly string[]
  /** Asserts that the framework reported nothing, and kept the elements of the server. */
  expectKept(): void
}

/** The tools of a scenario. */
export interface ServerStage {
  readonly clock: ManualClock
  readonly onServer: Place
  readonly inPage: Place
  /** `true` if the framework hydrates parts later than others. */
  readonly hydratesLate: boolean
  /** Renders a page on the server. @param options - the options of the request's Controller */
  serve(screen: (api: Api) => Screen, options?: ControllerOptions): Promise<ServedPage>
  /** Hydrates a page from the server, and asserts what is true for every page. */
  open(served: ServedPage, screen: (api: Api) => Screen): Promise<OpenPage>
}

interface ServerScenario {
  readonly name: string
  readonly title: string
  readonly run: (stage: ServerStage) => Promise<void>
}

const scenarios = new Map<string, ServerScenario>()

/** Registers a scenario. @throws {Error} if the name is taken */
export function serverScenario(
  name: string,
  title: string,
  run: (stage: ServerStage) => Promise<void>,
): void {
  if (scenarios.has(name)) throw new Error(`There are two scenarios called ${name}.`)
  scenarios.set(name, { name, title, run })
}

/** Runs every scenario of server rendering with one driver, as tests of the calling file. Needs a DOM. */
export function runServerSuite(driver: ServerDriver): void {
  for (const name of Object.keys(driver.knownGaps)) {
    if (!scenarios.has(name)) throw new Error(`${driver.name} names a gap that is no scenario: ${name}.`)
  }
  describe(`${driver.name} on a server`, () => {
    for (const { name, title, run } of scenarios.values()) {
      const gap = driver.knownGaps[name]
      const runOne = gap === undefined ? test : test.fails
      runOne(`${name}: ${title}${gap === undefined ? '' : ` (known gap: ${gap})`}`, async ({ task }) => {
        task.meta.conformance = { driver: driver.name, scenario: name, gap }
        await perform(driver, run)
      })
    }
  })
}

async function perform(driver: ServerDriver, run: ServerScenario['run']): Promise<void> {
  const logged = watchConsole(driver)
  const clock = new ManualClock()
  const places = [createPlace(clock), createPlace(clock)] as const
  const [onServer, inPage] = places
  const pages: HydratedPage[] = []
  let running = 0
  const serve: ServerStage['serve'] = async (screen, options = {}) => {
    running++
    const served = await driver.serve(screen(onServer.api), { clock, ...options })
    running--
    const { controller } = served
    expect(callsOf(controller).isDisposed, 'the Controller of the request is disposed').toBe(true)
    expect(listenersOf(controller), 'listeners left on the server').toBe(0)
    expect(retainersOf(controller), 'retainers left on the server').toBe(0)
    // Runs the timers that are due now, which do not count.
    clock.advance(0)
    if (running === 0) expect(clock.timers, 'timers left on the server').toBe(0)
    return served
  }
  const open: ServerStage['open'] = async ({ html }, screen) => {
    const container = document.body.appendChild(document.createElement('main'))
    container.innerHTML = html
    const findAll = () => [...container.querySelectorAll<HTMLElement>('[data-part]')]
    // A server may omit parts that failed.
    const before = new Map(findAll().map((element) => [element.dataset['part'], element]))
    const controller = new Controller({ clock })
    const page = await driver.hydrate(container, screen(inPage.api), controller)
    pages.push(page)
    onTestFinished(() => container.remove())
    const expectKept = () => {
      expect(page.failures, 'what the framework reports of hydration').toEqual([])
      const kept = findAll().map(
        (element) =>
          element.textContent.startsWith('Failed:') || element === before.get(element.dataset['part']),
      )
      expect(kept, 'parts whose element is that of the server').toEqual(kept.map(() => true))
    }
    expectKept()
    expect(container.querySelectorAll('script'), 'scripts left in the page').toHaveLength(0)
    const texts = () =>
      findAll()
        .filter(({ style }) => style.display !== 'none')
        .map(({ textContent }) => textContent)
    return { ...page, failures: page.failures, controller, texts, expectKept }
  }
  try {
    await run({ clock, onServer, inPage, hydratesLate: driver.hydratesLate === true, serve, open })
  } finally {
    for (const page of pages) await page.close()
    for (const { server } of places) server.release()
    await nextTask()
  }
  for (const { server } of places) expect(server.unexpected, 'requests without a route').toEqual([])
  expect(logged, 'on the console').toEqual([])
}

function createPlace(clock: ManualClock): Place {
  const server = new Server(clock)
  routeSamples(server)
  return { server, api: createApi(server) }
}

/** Collects the errors and warnings on the console until the end of the test. */
function watchConsole({ noise }: ServerDriver): string[] {
  const logged: string[] = []
  for (const level of ['error', 'warn'] as const) {
    const spy = vi.spyOn(console, level).mockImplementation((...args: unknown[]) => {
      const text = args.map(String).join(' ')
      if (noise?.test(text) !== true) logged.push(text)
    })
    onTestFinished(() => spy.mockRestore())
  }
  return logged
}
