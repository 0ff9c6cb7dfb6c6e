import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { ErrorRequestHandler, RequestHandler } from 'express'
import * as validator from 'express-openapi-validator'

/** A request as the validator has read it by the description. */
export interface ReadRequest {
  readonly method: string
  /** Path and search as they were sent. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly files: readonly { readonly fieldname: string; readonly mimetype: string; readonly text: string }[]
}

/** A server that refuses each request that its description does not allow. */
export interface ValidatingServer {
  readonly urlPrefix: string
  /** The requests that were valid. */
  readonly requests: ReadRequest[]
  close(): void
}

/**
 * Starts a server that validates requests by a description, with express-openapi-validator.
 *
 * @param description - of OpenAPI 3
 * @param answer - the JSON of each response
 */
export async function startValidator(
  description: object,
  answer: (request: ReadRequest) => unknown = () => ({}),
): Promise<ValidatingServer> {
  const app = express()
  const requests: ReadRequest[] = []
  // As Express 4 had it: the validator writes what it has read.
  app.set('query parser', 'extended')
  app.use((request, _, next) => {
    const { query } = request
    Object.defineProperty(request, 'query', { value: query, writable: true, configurable: true })
    next()
  })
  app.use(express.json({ type: ['application/json', 'application/*+json'], strict: false }))
  app.use(express.urlencoded({ extended: true }))
  app.use(express.text({ type: ['text/*', '*/xml'] }))
  app.use(express.raw({ type: ['application/octet-stream', 'image/*'] }))
  app.use(
    validator.middleware({
      apiSpec: withoutResponses(description) as never,
      validateRequests: { coerceTypes: 'array' },
      validateResponses: false,
      // Public descriptions have mistakes of their own.
      validateApiSpec: false,
      validateSecurity: false,
      fileUploader: {},
    }) as unknown as RequestHandler[],
  )
  app.use(((request, response) => {
    const { method, originalUrl: url, headers, query, body } = request
    const { openapi, files } = request as unknown as {
      readonly openapi?: { readonly pathParams?: unknown }
      readonly files?: readonly { fieldname: string; mimetype: string; buffer: Buffer }[]
    }
    const read: ReadRequest = {
      method,
      url,
      headers,
      params: openapi?.pathParams,
      query,
      body: body as unknown,
      files: (files ?? []).map(({ fieldname, mimetype, buffer }) => ({
        fieldname,
        mimetype,
        text: buffer.toString(),
      })),
    }
    requests.push(read)
    response.json(answer(read))
  }) satisfies RequestHandler)
  app.use(((error: { status?: number; message: string; errors?: unknown }, _request, response, _next) => {
    response.status(error.status ?? 500).json({ message: error.message, errors: error.errors })
  }) satisfies ErrorRequestHandler)
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    urlPrefix: `http://127.0.0.1:${port}`,
    requests,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A copy, which the validator changes. Responses hold each other in circles, and are of no matter for requests. */
function withoutResponses(description: object): object {
  const copy = JSON.parse(JSON.stringify(description)) as {
    paths: Record<string, Record<string, { responses?: unknown }>>
  }
  for (const item of Object.values(copy.paths))
    for (const operation of Object.values(item))
      if (operation.responses !== undefined) operation.responses = { 200: { description: '' } }
  mend(copy)
  return copy
}

const knownFormats =
  /^(date|date-time|time|uuid|email|uri|ipv4|ipv6|hostname|binary|byte|int32|int64|float|double|password)$/

/** What public descriptions have, and the validator does not take: `nullable` without a type, and formats of their own. */
function mend(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const part = value as Record<string, unknown>
  if (part['nullable'] === true && part['type'] === undefined) delete part['nullable']
  if (typeof part['format'] === 'string' && !knownFormats.test(part['format'])) delete part['format']
  for (const inner of Object.values(part)) mend(inner)
}
