import { nextTask } from './next-task.js'
import { Controller } from '@selfsame/core'
import { callsOf, development } from '@selfsame/core/bindings'
import type { ControllerOptions } from '@selfsame/core'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { ManualClock } from './clock.js'
import type { App, Arrangement, Driver, HookArgs, ReadHook, ReadTarget, Reader } from './contract.js'
import { createApi, routeSamples } from './fixtures.js'
import type { Api } from './fixtures.js'
import { Server } from './server.js'

/** A Controller and its application. */
export interface Opened {
  readonly controller: Controller
  readonly app: App
  /** Mounts a reader, and waits for its first frame. */
  mount(hook: ReadHook, endpoint: ReadTarget, ...args: HookArgs): Promise<Reader>
}

/** The tools of a scenario. Each scenario gets new ones. */
export interface Stage extends Opened {
  readonly clock: ManualClock
  readonly server: Server
  readonly api: Api
  /** The name of the driver. */
  readonly driver: string
  /** The errors and warnings on the console. What a scenario expects it takes out. */
  readonly logged: string[]
  /** Waits for promises, due timers and frames. Held responses stay held. */
  settle(): Promise<void>
  /** Advances the clock, and waits for the effects. */
  pass(ms: number): Promise<void>
  /** Mounts another application with another Controller, on the same clock and server. */
  open(options?: ControllerOptions): Opened
}

/** Options of a scenario. */
export interface ScenarioOptions {
  /** Options of the Controller. */
  readonly controller?: ControllerOptions
  /** If true, frameworks may log errors, because an error reaches a boundary. */
  readonly isLogged?: boolean
  /** Why the readers must stand alone in their boundaries. */
  readonly isAlone?: string
  /** If true, the scenario also runs with responses of 50 to 300 milliseconds, during which a framework renders and paints. */
  readonly isSlowToo?: boolean
}

/** Where a scenario runs besides the emulated DOM, in which all of them run with every driver. */
export type Place = 'Chromium' | 'React 18'

interface Scenario extends ScenarioOptions {
  readonly name: string
  readonly places: readonly Place[]
  readonly title: string
  readonly run: (stage: Stage) => Promise<void>
}

const scenarios = new Map<string, Scenario>()

/** Scenarios of what only development does, by their names. They are left out where the packages are built for production. */
const ofDevelopment: readonly RegExp[] = [
  /^warnings\//,
  // The panel tells why in full.
  /^why\//,
  // Production saves the time that freezing takes.
  /^5\/frozen$/,
  // Production refuses the request after 20 in vain, development after one.
  /^unnamed\/anew$/,
  /^infinite\/another list$/,
  /^infinite\/first page\/default\//,
]

/**
 * Registers a scenario.
 *
 * @param name - the rule that it proves: `3/table/Stale/useSuspense`, `3/rule 2`, `F4`
 * @param title - the behaviour, in the present tense
 * @throws {Error} if the name is taken
 */
export type Register = (
  name: string,
  title: string,
  run: (stage: Stage) => Promise<void>,
  options?: ScenarioOptions,
) => void

const registerIn =
  (...places: readonly Place[]): Register =>
  (name, title, run, options = {}) => {
    if (scenarios.has(name)) throw new Error(`There are two scenarios called ${name}.`)
    scenarios.set(name, { ...options, name, title, run, places })
  }

/**
 * Registers a scenario that runs with all four drivers in an emulated DOM. Most scenarios need no more: the rule that they prove is
 * the core's, and a binding shows it by the same few lines. Some run elsewhere too:
 *
 * - `scenario.inChromium`: what depends on paint and frames, focus, visibility, timers or aborts of requests.
 * - `scenario.onReact18`: what depends on suspense, transitions, boundaries or hydration, which React 18 does in other ways.
 * - `scenario.everywhere`: both.
 */
export const scenario: Register & Record<'inChromium' | 'onReact18' | 'everywhere', Register> = Object.assign(
  registerIn(),
  {
    inChromium: registerIn('Chromium'),
    onReact18: registerIn('React 18'),
    everywhere: registerIn('Chromium', 'React 18'),
  },
)

/** The data for the table of results, as `meta` of each test. */
export interface ConformanceMeta {
  readonly driver: string
  readonly scenario: string
  /** Why the driver is expected to fail; `undefined` if it is not. */
  readonly gap: string | undefined
}

declare module 'vitest' {
  interface TaskMeta {
    conformance?: ConformanceMeta
  }
  interface ProvidedContext {
    /** In a project that runs only the scenarios that are marked for a place. */
    readonly place?: Place
  }
}

/** Scenarios that suspend run a second time in the DOM emulation only, where that takes a fraction of the time, and in development. */
const canHavePages = 'happyDOM' in globalThis && development

/** Longer than `keepLength`, so that unused data is collected: milliseconds. */
const longEnough = 20 * 60_000

/**
 * Runs every scenario with one driver, as tests of the calling file; in a project that provides a `place`, the scenarios that are
 * marked for it. A scenario in the driver's `knownGaps` is expected to fail: once it passes, its test fails until the gap is removed
 * from the list.
 *
 * @param isChosen - tells which scenarios run, by name @default those of the place
 * @throws {Error} for a gap without a scenario
 */
export function runSuite(driver: Driver, isChosen?: (name: string) => boolean): void {
  for (const name of Object.keys(driver.knownGaps)) {
    if (!scenarios.has(name)) throw new Error(`${driver.name} names a gap that is no scenario: ${name}.`)
  }
  describe(driver.name, () => {
    const place = inject('place')
    const chosen = [...scenarios.values()]
      .filter(({ name }) => development || ofDevelopment.every((names) => !names.test(name)))
      .filter(({ name, places }) =>
        isChosen === undefined ? place === undefined || places.includes(place) : isChosen(name),
      )
    for (const each of chosen) {
      const gap = driver.knownGaps[each.name]
      const title = `${each.name}: ${each.title}${gap === undefined ? '' : ` (known gap: ${gap})`}`
      const run = gap === undefined ? test : test.fails
      run(title, async ({ task }) => {
        task.meta.conformance = { driver: driver.name, scenario: each.name, gap }
        const hasSuspended = await perform(driver, each, 'alone')
        if (each.isSlowToo === true) await perform(driver, each, 'alone', true)
        if (!hasSuspended || !canHavePages || driver.hasPages !== true || each.isAlone !== undefined) return
        try {
          await perform(driver, each, 'in a page')
        } catch (error) {
          throw new Error(`In a page: ${(error as Error).message}`, { cause: error })
        }
      })
    }
  })
}

/** @returns `true` if a reader has suspended */
async function perform(
  driver: Driver,
  { run, controller: options, isLogged = false }: Scenario,
  arrangement: Arrangement,
  isSlow = false,
): Promise<boolean> {
  const logged = watchConsole()
  const clock = new ManualClock()
  const server = new Server(clock, isSlow)
  routeSamples(server)
  const opened: Opened[] = []
  const mounted: Reader[] = []
  /** Those that stand in a page, with their Controllers, until an error, a reset or hiding has replaced the page. */
  const inPages = new Map<Reader, Controller>()
  let hasSuspended = false
  const lookAtPages = () => {
    for (const [reader, controller] of inPages) {
      const { state } = reader.current()
      if (state === 'error' || state === 'gone' || callsOf(controller).resets > 0) inPages.delete(reader)
      else expect(reader.page?.isKept, 'what stands beside the reader is kept').toBe(true)
    }
  }
  const open = (own: ControllerOptions = {}): Opened => {
    const controller = new Controller({ clock, ...options, ...own })
    const app = driver.open(controller, arrangement)
    const mount: Opened['mount'] = async (hook, endpoint, ...args) => {
      const reader = await app.mount(hook, endpoint, ...args)
      mounted.push(reader)
      if (reader.page !== undefined) inPages.set(reader, controller)
      return reader
    }
    const added = { controller, app, mount }
    opened.push(added)
    return added
  }
  const settle = async () => {
    do {
      for (const { app } of opened) await app.settle()
    } while (clock.advance(0) > 0 || (await server.arrived()))
    lookAtPages()
  }
  const pass = async (ms: number) => {
    clock.advance(ms)
    await settle()
  }
  try {
    await run({
      ...open(),
      clock,
      server,
      driver: driver.name,
      logged,
      api: createApi(server),
      settle,
      pass,
      open,
    })
  } finally {
    hasSuspended = mounted.some(({ fallbacks }) => fallbacks > 0)
    for (const { app } of opened) await app.close()
    // Delivers held responses too, because a request in flight retains its call.
    server.release()
    await nextTask()
  }
  expect(server.unexpected, 'requests without a route').toEqual([])
  if (!isLogged) expect(logged, 'on the console').toEqual([])
  for (const { controller } of opened) expectNothingLeft(controller, clock)
  return hasSuspended
}

/** Asserts that no listener and no retainer is left, and after a while no record and no timer (specification G6). */
function expectNothingLeft(controller: Controller, clock: ManualClock): void {
  expect(listenersOf(controller), 'listeners left').toBe(0)
  expect(retainersOf(controller), 'retainers left').toBe(0)
  clock.advance(longEnough)
  clock.advance(longEnough)
  expect(callsOf(controller).store.results.size, 'results left').toBe(0)
  for (const { key, nodes } of callsOf(controller).store.tables.values())
    expect(nodes.size, `${key} records left`).toBe(0)
  controller.dispose()
}

/** The number of listeners of a Controller's calls. */
export function listenersOf(controller: Controller): number {
  const { store } = callsOf(controller)
  return [...store.results.values()].flat().reduce((count, row) => count + row.listeners.length, 0)
}

/** The number of retainers of a Controller's calls. */
export function retainersOf(controller: Controller): number {
  const { store } = callsOf(controller)
  return [...store.results.values()].flat().reduce((count, row) => count + row.retainers, 0)
}

/** Collects the errors and warnings on the console until the end of the test. */
function watchConsole(): string[] {
  const logged: string[] = []
  for (const level of ['error', 'warn'] as const) {
    const spy = vi.spyOn(console, level).mockImplementation((...args: unknown[]) => {
      logged.push(args.map(String).join(' '))
    })
    onTestFinished(() => spy.mockRestore())
  }
  return logged
}

/** The data that a reader shows. @throws {AssertionError} if it shows something else */
export function shown(reader: Reader): unknown {
  const screen = reader.current()
  expect(screen.state).toBe('ready')
  return screen.state === 'ready' ? screen.data : undefined
}

/** The error that a reader's boundary shows. @throws {AssertionError} if it shows something else */
export function shownError(reader: Reader): unknown {
  const screen = reader.current()
  expect(screen.state).toBe('error')
  return screen.state === 'error' ? screen.error : undefined
}
