import { Controller } from '@selfsame/core'
import { callsOf } from '@selfsame/core/bindings'
import type { ControllerOptions } from '@selfsame/core'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ManualClock } from './clock.js'
import type { App, Driver, HookArgs, ReadHook, ReadTarget, Reader } from './contract.js'
import { createApi, routeSamples } from './fixtures.js'
import type { Api } from './fixtures.js'
import { Server } from './server.js'

/** A Controller and the application over it. */
export interface Opened {
  readonly controller: Controller
  readonly app: App
  /** Mounts a reader, and lets its first frame come on screen. */
  mount(hook: ReadHook, endpoint: ReadTarget, ...args: HookArgs): Promise<Reader>
}

/** What a scenario is given: everything new, nothing shared with another scenario. */
export interface Stage extends Opened {
  readonly clock: ManualClock
  readonly server: Server
  readonly api: Api
  /** Lets promises, timers that are due now, and frames finish. Answers that are held stay held. */
  settle(): Promise<void>
  /** Lets time pass, and its consequences come on screen. */
  pass(ms: number): Promise<void>
  /** Puts another application over another Controller on the page, with the same clock and server. */
  open(options?: ControllerOptions): Opened
}

/** What a scenario needs to differ in. */
export interface ScenarioOptions {
  /** Options of the Controller. */
  readonly controller?: ControllerOptions
  /** Whether frameworks may report errors on the console meanwhile, because an error reaches a boundary. */
  readonly isLogged?: boolean
}

interface Scenario extends ScenarioOptions {
  readonly name: string
  readonly title: string
  readonly run: (stage: Stage) => Promise<void>
}

const scenarios = new Map<string, Scenario>()

/**
 * Registers a scenario.
 *
 * @param name - what it proves: `3/table/Stale/useSuspense`, `3/rule 2`, `F4`
 * @param title - the behaviour, in the present tense
 * @throws {Error} for a name that is taken
 */
export function scenario(
  name: string,
  title: string,
  run: (stage: Stage) => Promise<void>,
  options: ScenarioOptions = {},
): void {
  if (scenarios.has(name)) throw new Error(`There are two scenarios called ${name}.`)
  scenarios.set(name, { ...options, name, title, run })
}

/** What the table of results is made from, as `meta` of each test. */
export interface ConformanceMeta {
  readonly driver: string
  readonly scenario: string
  /** Why the driver is expected to fail; `undefined` when it is not. */
  readonly gap: string | undefined
}

declare module 'vitest' {
  interface TaskMeta {
    conformance?: ConformanceMeta
  }
}

/** How long everything is kept that nobody uses, and some more: milliseconds. */
const longEnough = 20 * 60_000

/**
 * Runs every scenario with one driver, as tests of the file that calls it. A scenario in the driver's `knownGaps`
 * is expected to fail: once it passes, its test fails, until the gap is taken off the list.
 *
 * @throws {Error} for a gap that names no scenario
 */
export function runSuite(driver: Driver): void {
  for (const name of Object.keys(driver.knownGaps)) {
    if (!scenarios.has(name)) throw new Error(`${driver.name} names a gap that is no scenario: ${name}.`)
  }
  describe(driver.name, () => {
    for (const each of scenarios.values()) {
      const gap = driver.knownGaps[each.name]
      const title = `${each.name}: ${each.title}${gap === undefined ? '' : ` (known gap: ${gap})`}`
      const run = gap === undefined ? test : test.fails
      run(title, async ({ task }) => {
        task.meta.conformance = { driver: driver.name, scenario: each.name, gap }
        await perform(driver, each)
      })
    }
  })
}

async function perform(
  driver: Driver,
  { run, controller: options, isLogged = false }: Scenario,
): Promise<void> {
  const logged = watchConsole()
  const clock = new ManualClock()
  const server = new Server(clock)
  routeSamples(server)
  const opened: Opened[] = []
  const open = (own: ControllerOptions = {}): Opened => {
    const controller = new Controller({ clock, ...options, ...own })
    const app = driver.open(controller)
    const mount: Opened['mount'] = (hook, endpoint, ...args) => app.mount(hook, endpoint, ...args)
    const added = { controller, app, mount }
    opened.push(added)
    return added
  }
  const settle = async () => {
    do {
      for (const { app } of opened) await app.settle()
    } while (clock.advance(0) > 0)
  }
  const pass = async (ms: number) => {
    clock.advance(ms)
    await settle()
  }
  try {
    await run({ ...open(), clock, server, api: createApi(server), settle, pass, open })
  } finally {
    for (const { app } of opened) await app.close()
    // What nobody waits for any more arrives too: a request under way keeps its call.
    server.release()
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  expect(server.unexpected, 'requests without a route').toEqual([])
  if (!isLogged) expect(logged, 'on the console').toEqual([])
  for (const { controller } of opened) expectNothingLeft(controller, clock)
}

/** No listener, no retainer, and after a while no record and no timer (specification G6). */
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

/** How many listeners the calls of a Controller have. */
export function listenersOf(controller: Controller): number {
  const { store } = callsOf(controller)
  return [...store.results.values()].flat().reduce((count, row) => count + row.listeners.length, 0)
}

/** How many readers keep the calls of a Controller. */
export function retainersOf(controller: Controller): number {
  const { store } = callsOf(controller)
  return [...store.results.values()].flat().reduce((count, row) => count + row.retainers, 0)
}

/** Collects what is written to the console as an error or a warning, until the test is over. */
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

/** The data that a reader shows. @throws {AssertionError} when it shows something else */
export function shown(reader: Reader): unknown {
  const screen = reader.current()
  expect(screen.state).toBe('ready')
  return screen.state === 'ready' ? screen.data : undefined
}

/** The error that a reader's boundary shows. @throws {AssertionError} when it shows something else */
export function shownError(reader: Reader): unknown {
  const screen = reader.current()
  expect(screen.state).toBe('error')
  return screen.state === 'error' ? screen.error : undefined
}
