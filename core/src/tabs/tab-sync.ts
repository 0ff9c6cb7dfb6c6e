import { development } from '#development'
import { changes } from '../changes/changes.js'
import { callsOf } from '../controller/calls.js'
import type { Controller } from '../controller/controller.js'
import { KnownEndpoints } from '../controller/known-endpoints.js'
import type { Action, MiddlewareHooks } from '../controller/middleware.js'
import { warn } from '../errors.js'
import { listen } from '../util/listen.js'
import { Messenger } from './messenger.js'
import { Recent } from './recent.js'
import { SentRequests } from './sent-requests.js'
import { sharedByLocks } from './sharing.js'
import { TabGroup } from './tab-group.js'
import type { SyncTabsOptions } from './tab-options.js'
import { Taker } from './taker.js'
import { Teller } from './teller.js'
import { isDataAction } from './told-actions.js'

/** Makes the parts of one tab among others, and gives them what happens in it, from its start to its end. */
export function createTabSync(controller: Controller, options: SyncTabsOptions): MiddlewareHooks {
  const { clock } = controller
  const group = new TabGroup(controller, options)
  const known = new KnownEndpoints()
  known.list(options.endpoints ?? [], 'syncTabs()')
  const recent = new Recent()
  const requests = new SentRequests(clock)
  let shared = sharedByLocks({
    clock,
    options,
    group,
    onSend: (id) => requests.send(id),
    bring: (key, run) => teller.bring(key, run),
    expire: (key) => teller.tellAged('expireAll', [key]),
  })
  const taker = new Taker({ controller, options, known, requests, recent, shared })
  const messenger = new Messenger({ clock, options, group, taker })
  const teller = new Teller({ controller, requests, recent, messenger })
  const ends: (() => void)[] = []
  let isDisposed = false

  const start = () => {
    if (isDisposed) return
    if (!messenger.open()) {
      shared = {}
      if (development)
        warn('This page has no BroadcastChannel, so syncTabs() does nothing: each tab works alone.')
      return
    }
    const page = (globalThis as { document?: Document }).document
    const { reads, streams } = shared
    // A frozen tab holds nobody up.
    const freeze = () => {
      reads?.leaveAll()
      streams?.freeze()
    }
    ends.push(
      changes(controller, (commit) =>
        taker.isTaking ? taker.noteCommit(commit) : teller.tellCommit(commit),
      ),
      listen(page, ['freeze'], freeze),
      listen(page, ['resume'], () => streams?.resume()),
    )
    teller.followLive()
    if (streams !== undefined) callsOf(controller).shareStream = (...given) => streams.open(...given)
  }

  const dispose = () => {
    isDisposed = true
    for (const end of ends.splice(0)) end()
    shared.reads?.leaveAll()
    shared = {}
    messenger.close()
  }

  const reset = () => {
    const { at } = requests.moment()
    messenger.reset(at, taker.isTaking)
    recent.reset(at)
    requests.clear()
  }

  const end = (id: number) => {
    requests.end(id)
    shared.reads?.leave(id)
  }

  // After the constructor of the Controller, whose store is needed.
  queueMicrotask(start)
  return {
    passesOn: true,
    before(action: Action) {
      const { type } = action
      if (type === 'fetch') requests.send(action.id)
      if ('endpoint' in action && typeof action.endpoint === 'function') known.add(action.endpoint)
      if (type === 'dispose') dispose()
      else if (isDataAction(action) && !taker.isTaking) teller.prepare(action)
    },
    after(action: Action) {
      const { type } = action
      if (type === 'error') teller.tellLost(action)
      if (type === 'response') teller.tellUnchanged(action)
      if (type === 'response' || type === 'error') end(action.id)
      if (type === 'resetAll') reset()
      if (taker.isTaking) return
      if (type === 'invalidateAll' || type === 'expireAll') teller.tellAges(type, action.endpoint)
      else if (type === 'invalidate') teller.tellAged('invalidateAll', [action.key])
    },
    request: (call, next) =>
      call.kind === 'read' && shared.reads !== undefined ? shared.reads.request(call, next) : next(),
  }
}
