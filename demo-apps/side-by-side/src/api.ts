import { Controller } from '@selfsame/core'
import { RestEndpoint } from '@selfsame/core/rest'
import type { RestOptions } from '@selfsame/core/rest'
import { createApi } from '@selfsame/demo-shared'
import { RequestLog } from './page/request-log.js'

export const requestLog = new RequestLog()

/** Tells the log of each request. */
class LoggedEndpoint<const Options extends RestOptions = RestOptions> extends RestEndpoint<Options> {
  override fetchResponse(url: string, init: RequestInit): Promise<Response> {
    return requestLog.record(this.method, url, super.fetchResponse(url, init))
  }
}

/** The one cache of all three panes. */
export const controller = new Controller()

/** The server's address as the page sees it: the development server passes on what begins so. */
export const restPrefix = '/rest'

export const { articleResource, userResource, getPrices } = createApi({
  urlPrefix: restPrefix,
  Endpoint: LoggedEndpoint,
})
