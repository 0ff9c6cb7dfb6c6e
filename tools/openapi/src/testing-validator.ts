import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { ErrorRequestHandler, RequestHandler } from 'express'
import * as validator from 'express-openapi-validator'
import { forValidators } from './testing-exceptions.js'
import type { Exceptions } from './testing-exceptions.js'

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
 * @param exceptions - what the validator cannot take of the description
 */
export async function startValidator(
  description: object,
  exceptions?: Exceptions,
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
  const apiSpec = withoutResponses(description, exceptions)
  const check = (coerceTypes: false | 'array') => {
    const router = express.Router()
    router.use(
      validator.middleware({
        apiSpec: structuredClone(apiSpec) as never,
        validateRequests: { coerceTypes },
        validateResponses: false,
        formats: Object.fromEntries(Object.keys(exceptions?.formats ?? {}).map((name) => [name, true])),
        validateApiSpec: exceptions?.mistakes === undefined,
        // The server behind this one asks for the header.
        validateSecurity: false,
        fileUploader: {},
      }) as unknown as RequestHandler[],
    )
    return router
  }
  const strict = check(false)
  const ofTexts = check('array')
  app.use((request, response, next) => {
    // Params and forms have texts alone. JSON has types.
    const isJson = /json/.test(request.headers['content-type'] ?? '')
    return (isJson ? strict : ofTexts)(request, response, next)
  })
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
    response.json({})
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

/** Responses hold each other in circles, and are of no matter for requests. */
function withoutResponses(description: object, exceptions: Exceptions | undefined): object {
  const copy = forValidators(description, exceptions) as {
    paths: Record<string, Record<string, { responses?: unknown }>>
  }
  for (const item of Object.values(copy.paths))
    for (const operation of Object.values(item))
      if (operation.responses !== undefined) operation.responses = { 200: { description: '' } }
  return copy
}
