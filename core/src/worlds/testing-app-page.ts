import { Observer, PagesObserver } from '../bindings.js'
import { dehydrate, deserialize, hydrate, serialize } from '../hydration.js'
import { Controller } from '../index.js'
import { connect } from '../live.js'
import type { StreamSink } from '../live.js'
import type { TestClock } from '../testing.js'
import { createApp } from './testing-app.js'
import type { App, AppStyle } from './testing-app.js'
import type { AppNetwork } from './testing-app-network.js'
import type { TaskFilter } from './testing-app-server.js'

type Id = number | string

/** A component on screen. */
interface OpenReader {
  readonly kind: 'list' | 'detail' | 'comments'
  readonly filter: TaskFilter
  readonly id: Id
  readonly end: () => void
  /** Loads the next page. */
  readonly loadMore: () => void
}

/** A page of the application: its cache, and the components on screen. */
export class AppPage {
  readonly app: App
  controller: Controller
  /** The stream of messages. */
  sink: StreamSink | undefined
  readers: OpenReader[] = []
  readonly style: AppStyle
  readonly network: AppNetwork
  readonly clock: TestClock
  #endFeed = () => {}

  constructor(style: AppStyle, network: AppNetwork, clock: TestClock) {
    this.style = style
    this.network = network
    this.clock = clock
    this.app = createApp(style)
    this.controller = this.#create()
    this.#connect()
  }

  get lists(): OpenReader[] {
    return this.readers.filter(({ kind }) => kind === 'list')
  }

  readList(filter: TaskFilter) {
    return this.controller.read(this.app.taskResource.getList, filter)
  }

  /** Puts a component on screen. */
  open(kind: OpenReader['kind'], filter: TaskFilter, id: Id): void {
    const same = this.readers.some(
      (other) => other.kind === kind && other.id === id && keyOf(other.filter) === keyOf(filter),
    )
    if (!same) this.readers.push(this.#mount(kind, filter, id))
  }

  close(reader: OpenReader): void {
    this.readers = this.readers.filter((other) => other !== reader)
    reader.end()
  }

  /** Leaves the page, and opens it again with what it had stored. */
  reload(): void {
    const state = serialize(dehydrate(this.controller))
    const { readers } = this
    this.leave()
    this.controller = this.#create()
    hydrate(this.controller, deserialize(state) as never)
    this.#connect()
    for (const { kind, filter, id } of readers) this.open(kind, filter, id)
  }

  leave(): void {
    for (const reader of this.readers) reader.end()
    this.readers = []
    this.#endFeed()
    this.controller.dispose()
    this.network.drop()
  }

  #create(): Controller {
    return new Controller({
      clock: this.clock,
      dataExpiryLength: Infinity,
      fetch: this.network.send as typeof fetch,
    })
  }

  #connect(): void {
    if (!this.style.isLive) return
    const feed = this.app.createFeed(this.controller, (sink) => (this.sink = sink))
    this.controller.fetchIfStale(feed).catch(() => {})
    this.#endFeed = connect(this.controller, feed)
  }

  #mount(kind: OpenReader['kind'], filter: TaskFilter, id: Id): OpenReader {
    const { controller } = this
    const { taskResource, comments } = this.app
    const { getList } = taskResource
    if (kind === 'list' && this.style.isInfinite) {
      const pages = new PagesObserver(controller, getList, filter, {
        next: ({ nextPage }: { nextPage: number | null }) => nextPage && { ...filter, page: nextPage },
      } as never)
      return { kind, filter, id, end: show(pages), loadMore: () => void pages.fetchNext() }
    }
    const observer =
      kind === 'list'
        ? new Observer(controller, getList, [filter])
        : kind === 'detail'
          ? new Observer(controller, taskResource.get, [{ id }])
          : new Observer(controller, comments.getList, [{ taskId: id }])
    const loadMore = () => {
      const { nextPage } = this.readList(filter).data ?? {}
      if (nextPage) controller.fetch(getList.getPage, { ...filter, page: nextPage }).catch(() => {})
    }
    return { kind, filter, id, end: show(observer), loadMore }
  }
}

function keyOf(filter: TaskFilter): string {
  return JSON.stringify(filter)
}

/** What a component does with an observer. */
interface ShownObserver {
  load(): unknown
  subscribe(listener: () => void): () => void
  retain(): () => void
}

/** Shows what an observer has, as a component does that is rendered with each change. */
function show(observer: ShownObserver): () => void {
  observer.load()
  const end = observer.subscribe(() => observer.load())
  const release = observer.retain()
  return () => {
    end()
    release()
  }
}
