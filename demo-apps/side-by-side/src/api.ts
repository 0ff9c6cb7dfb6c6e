import { Controller } from '@selfsame/core'
import { optimistic } from '@selfsame/core/optimistic'
import { outbox } from '@selfsame/core/outbox'
import { persist } from '@selfsame/core/persist'
import { pauseOffline } from '@selfsame/core/policies'
import { NetworkError, RestEndpoint } from '@selfsame/core/rest'
import type { RestOptions } from '@selfsame/core/rest'
import { syncTabs } from '@selfsame/core/tabs'
import { createApi } from '@selfsame/demo-shared'
import { network } from './page/network.js'
import { RequestLog } from './page/request-log.js'

export const requestLog = new RequestLog()

/** Logs each request. Offline there is none. */
class LoggedEndpoint<const Options extends RestOptions = RestOptions> extends RestEndpoint<Options> {
  override fetchResponse(url: string, init: RequestInit): Promise<Response> {
    if (!network.isOnline()) {
      const { method } = this
      return Promise.reject(
        new NetworkError(`${method} ${url} failed: the page is offline.`, { method, url }),
      )
    }
    return requestLog.record(this.method, url, super.fetchResponse(url, init))
  }
}

/** The path of the REST server for the page: the development server proxies it. */
export const restPrefix = '/rest'

const options = { urlPrefix: restPrefix, Endpoint: LoggedEndpoint }
const plain = createApi(options)
const early = createApi({ ...options, optimistic })

export const { getPrices } = plain

/** An edit is shown before its response, and taken back if that is an error. */
export const articleResource = {
  ...plain.articleResource,
  partialUpdate: early.articleResource.partialUpdate,
}

/** A new name too. */
export const { userResource } = early

/** A week offline, nothing online: the story of the page begins without data. */
const maxAge = network.isOnline() ? 0 : 7 * 24 * 3_600_000

/** The one cache of all three panes, and of other windows. */
export const controller = new Controller({
  middleware: [
    outbox({
      name: 'side-by-side',
      endpoints: [articleResource.partialUpdate, userResource.partialUpdate],
      network,
      // The knob's failure is one that the user sees.
      isTransient: (error) => error instanceof NetworkError && error.status === undefined,
      onReset: () => 'drop',
    }),
    persist({ maxAge }),
    pauseOffline({ network }),
    syncTabs({ name: 'side-by-side', endpoints: [articleResource, userResource] }),
  ],
})
