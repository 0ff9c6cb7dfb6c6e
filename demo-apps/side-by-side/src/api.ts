import { Controller } from '@selfsame/core'
import { RestEndpoint } from '@selfsame/core/rest'
import type { RestOptions } from '@selfsame/core/rest'
import { createApi } from '@selfsame/demo-shared'
import { RequestLog } from './page/request-log.js'

export const requestLog = new RequestLog()

/** Logs each request. */
class LoggedEndpoint<const Options extends RestOptions = RestOptions> extends RestEndpoint<Options> {
  override fetchResponse(url: string, init: RequestInit): Promise<Response> {
    return requestLog.record(this.method, url, super.fetchResponse(url, init))
  }
}

/** The one cache of all three panes. */
export const controller = new Controller()

/** The path of the REST server for the page: the development server proxies it. */
export const restPrefix = '/rest'

export const { articleResource, userResource, getPrices } = createApi({
  urlPrefix: restPrefix,
  Endpoint: LoggedEndpoint,
})
