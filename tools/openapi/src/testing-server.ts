import { createServer } from 'node:http'
import type { IncomingHttpHeaders, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import addFormats from 'ajv-formats'
import { OpenAPIBackend, ValidationContext } from 'openapi-backend'
import type { Document } from 'openapi-backend'
import { forValidators } from './testing-exceptions.js'
import type { Exceptions } from './testing-exceptions.js'
import type { ValidatingServer } from './testing-validator.js'

/** A server that answers by a description. */
export interface TestServer {
  /** The beginning of its addresses. */
  readonly urlPrefix: string
  /** `GET /articles` of each request, in their order. */
  readonly requests: string[]
  close(): void
}

/**
 * What checks requests and responses against a description of OpenAPI 3, with its formats.
 *
 * @param exceptions - what the validator cannot take of the description
 */
export function backendOf(definition: object, exceptions?: Exceptions): OpenAPIBackend {
  return new OpenAPIBackend({
    definition: forValidators(definition, exceptions) as Document,
    quick: true,
    // Descriptions have keywords that JSON Schema has not. A format that is not known is an exception.
    ajvOpts: { strict: false, logger: { log: () => {}, warn: refuse, error: refuse } },
    customizeAjv: (ajv, _, context) => {
      // A form has texts alone. Responses have types.
      const isRequest = context === ValidationContext.RequestBody || context === ValidationContext.Params
      Object.assign(ajv.opts, { coerceTypes: isRequest })
      // Each package has a copy of Ajv, and so a type, of its own.
      addFormats(ajv as unknown as Parameters<typeof addFormats>[0])
      for (const name of Object.keys(exceptions?.formats ?? {})) ajv.addFormat(name, true)
      return ajv
    },
  })
}

function refuse(...words: readonly unknown[]): never {
  throw new Error(words.join(' '))
}

/**
 * Serves a description on an address of this machine.
 *
 * @param gate - refuses what it finds invalid before the backend sees it
 */
export async function serve(backend: OpenAPIBackend, gate?: ValidatingServer): Promise<TestServer> {
  await backend.init()
  const requests: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const { method = '', url = '', headers } = request
      requests.push(`${method} ${url}`)
      const bytes = Buffer.concat(chunks)
      const refused = gate === undefined ? undefined : await refusalOf(gate, method, url, headers, bytes)
      if (refused !== undefined) {
        response.writeHead(refused.status, { 'content-type': 'application/json' })
        response.end(await refused.text())
        return
      }
      const body = await bodyOf(bytes, headers['content-type'])
      const [path = '', query = ''] = url.split('?')
      void backend
        .handleRequest({
          method,
          path,
          query,
          headers: headers as Record<string, string>,
          ...(body === '' ? {} : { body }),
        })
        .then(([status, value]: [number, unknown]) => {
          response.writeHead(status, { 'content-type': 'application/json' })
          response.end(value === undefined ? undefined : JSON.stringify(value))
        })
    })
  })
  await listen(server)
  const { port } = server.address() as AddressInfo
  return {
    urlPrefix: `http://127.0.0.1:${port}`,
    requests,
    close: () => {
      server.close()
      gate?.close()
    },
  }
}

/** The response of a validator that refuses a request. */
async function refusalOf(
  gate: ValidatingServer,
  method: string,
  url: string,
  headers: IncomingHttpHeaders,
  bytes: Buffer<ArrayBuffer>,
): Promise<Response | undefined> {
  const sent = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (!/^(host|connection|content-length|transfer-encoding)$/.test(name)) sent.set(name, String(value))
  const response = await fetch(`${gate.urlPrefix}${url}`, {
    method,
    headers: sent,
    ...(bytes.length === 0 ? {} : { body: bytes }),
  })
  return response.ok ? undefined : response
}

const listen = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

/** A form as the validation wants it: an object of texts. */
async function bodyOf(bytes: Buffer<ArrayBuffer>, type = ''): Promise<string | Record<string, string>> {
  if (type.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(bytes.toString()))
  if (!type.startsWith('multipart/')) return bytes.toString()
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  const texts = [...form].map(
    async ([name, value]) => [name, typeof value === 'string' ? value : await value.text()] as const,
  )
  return Object.fromEntries(await Promise.all(texts))
}
