import { nextTask } from '@selfsame/conformance/next-task'
import { Controller } from '@selfsame/core'
import {
  Observer,
  ObserverGroup,
  PagesObserver,
  StatesGroup,
  awaitedOnServer,
  keepingPrevious,
  queryOf,
  takeBackError,
  dataIn,
} from '@selfsame/core/bindings'
import type {
  CacheableEndpoint,
  ControllerOptions,
  PagesOptions,
  Queryable,
  ReadCalls,
  ReadEndpoint,
} from '@selfsame/core'
import { dehydrate, hydrateFromPage, stateScript } from '@selfsame/core/hydration'
import type { HydratedPage, Screen, ScreenPart, ServedPage, ServerDriver } from '@selfsame/conformance'

/** One part of a page. */
class Part {
  readonly observer: Observer | ObserverGroup | PagesObserver
  readonly #part: ScreenPart
  readonly #waits: boolean

  constructor(controller: Controller, part: ScreenPart) {
    const { hook, endpoint, args } = part
    this.#part = part
    this.#waits = ['useSuspense', 'useSuspenseAll', 'useFetch', 'useLive'].includes(hook)
    if (hook === 'useSuspenseAll' || hook === 'useDLEAll') {
      const Kind = hook === 'useDLEAll' ? StatesGroup : ObserverGroup
      this.observer = new Kind(controller, args[0] as ReadCalls, undefined, undefined, false)
      return
    }
    if (hook === 'useInfinite') {
      const options = args[1] as PagesOptions<unknown, object>
      this.observer = new PagesObserver(controller, endpoint as ReadEndpoint, args[0], options)
      return
    }
    const given = hook === 'useLast' ? keepingPrevious(endpoint) : endpoint
    const call = hook === 'useQuery' ? queryOf(endpoint as Queryable) : (given as CacheableEndpoint)
    const observer = new Observer(controller, call, args)
    observer.follow(call, args)
    this.observer = observer
  }

  /** The promise that the part suspends for; `undefined` if it does not suspend. */
  wait(): Promise<unknown> | undefined {
    if (!this.#waits || this.observer instanceof PagesObserver) return awaitedOnServer(this.observer)
    const reading = this.observer.readOrFetch()
    return reading.state === 'pending' ? reading.promise : undefined
  }

  /** @param isOnServer - `true` if hooks that do not suspend send no requests */
  text(isOnServer: boolean): string {
    const { observer } = this
    const { show, hook } = this.#part
    if (observer instanceof StatesGroup) return show(isOnServer ? observer.state() : observer.load())
    if (observer instanceof PagesObserver) return show(isOnServer ? observer.state() : observer.load())
    if (this.#waits || observer instanceof ObserverGroup) {
      const reading = observer.readOrFetch()
      if (reading.state === 'pending') return 'Loading'
      if (reading.state === 'error') return `Failed: ${reading.error.message}`
      if (!isOnServer) observer.fetchIfDue()
      return show(reading.data)
    }
    if (hook === 'useDLE' || hook === 'useLast') return show(isOnServer ? observer.state() : observer.load())
    if (hook === 'useProgress') return show(observer.getSnapshot().progress)
    return show(hook === 'useSubscription' ? undefined : dataIn(observer.readCached()))
  }
}

/** Renders in rounds, because each response may make further parts suspend. Each text has an element of its own. */
async function serve(screen: Screen, options: ControllerOptions): Promise<ServedPage> {
  const controller = new Controller(options)
  const parts = screen.map((part) => new Part(controller, part))
  for (let waiting = parts; waiting.length > 0;) {
    const promises = waiting.map((part) => part.wait())
    await Promise.all(promises)
    waiting = waiting.filter((_, index) => promises[index] !== undefined)
  }
  const main = document.createElement('div')
  parts.forEach((part, index) => {
    const element = main.appendChild(document.createElement('p'))
    element.dataset['part'] = String(index)
    element.textContent = part.text(true)
  })
  const html = main.outerHTML + stateScript(dehydrate(controller))
  controller.dispose()
  return { html, controller }
}

async function hydrate(
  container: HTMLElement,
  screen: Screen,
  controller: Controller,
): Promise<HydratedPage> {
  hydrateFromPage(controller)
  const parts = screen.map((part) => new Part(controller, part))
  const elements = [...container.querySelectorAll('[data-part]')]
  const render = () =>
    parts.forEach((part, index) => ((elements[index] as Element).textContent = part.text(false)))
  render()
  const ends = parts.flatMap(({ observer }) => [observer.retain(), observer.subscribe(render)])
  const settle = async () => {
    for (let task = 0; task < 4; task++) await nextTask()
    render()
  }
  await settle()
  return {
    failures: [],
    settle,
    async retry(part) {
      const observer = parts[part]?.observer
      if (observer !== undefined && !(observer instanceof PagesObserver)) takeBackError(observer)
      render()
    },
    async close() {
      for (const end of ends) end()
    },
  }
}

/** The bare Controller: a page is a list of texts. */
export const serverDriver: ServerDriver = { name: 'controller', knownGaps: {}, serve, hydrate }
