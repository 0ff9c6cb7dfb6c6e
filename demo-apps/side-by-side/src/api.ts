import { Controller } from '@selfsame/core'
import { optimistic } from '@selfsame/core/optimistic'
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
