import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Operation } from 'openapi-backend'
import type { Parameter } from './description.js'
import { MockData } from './mock-data.js'
import { defineMocks } from './mocks.js'
import { exceptions } from './testing-exceptions.js'
import { withIds } from './testing-mock.js'
import { backendOf } from './testing-server.js'
import { toDescription } from './to-description.js'

/** Makes each call of a description to its mocks, without a body. @returns what a validator finds wrong in the answers */
export async function wrongAnswersOf(name: string): Promise<string[]> {
  const source = JSON.parse(
    readFileSync(join(import.meta.dirname, `../fixtures/${name}.json`), 'utf8'),
  ) as object
  const description = toDescription(source)
  const { [name]: ofDescription } = exceptions
  const backend = backendOf(withIds(description), ofDescription)
  await backend.init()
  const mocks = defineMocks(description, { urlPrefix: 'http://127.0.0.1' })
  const data = new MockData(description, 1)
  const wrong: string[] = []
  // Reads first: what is deleted is not there.
  const order = ['get', 'head', 'options', 'post', 'put', 'patch', 'delete']
  const operations = backend.getOperations().sort((a, b) => order.indexOf(a.method) - order.indexOf(b.method))
  for (const operation of operations) {
    const path = operation.path.replace(/\{([^{}]+)\}/g, (_, param: string) =>
      valueOf(data, operation, param),
    )
    const url = `http://127.0.0.1${path}`
    const response = await mocks.fetch(url, { method: operation.method.toUpperCase() })
    const text = await response.text()
    const found = operation.responses?.[response.status] ?? operation.responses?.['default']
    const say = (problem: string) => wrong.push(`${operation.operationId} ${problem}`)
    const isSaid = Object.keys(operation.responses ?? {}).some((status) => /^(2|default)/.test(status))
    // A description may say only what goes wrong.
    if (found === undefined && !isSaid) {
      if (text !== '') say('has a body')
    } else if (found === undefined) say(`answers ${response.status}`)
    else if (!('content' in found) || found.content === undefined) {
      if (text !== '') say('has a body')
    } else if (found.content['application/json'] !== undefined) {
      const { errors } = backend.validateResponse(JSON.parse(text) as unknown, operation, response.status)
      for (const { instancePath, message } of errors ?? []) say(`${instancePath} ${message}`)
    }
  }
  return wrong
}

/** A param of a path: the first primary key, or text that its schema allows. */
function valueOf(data: MockData, { parameters = [] }: Operation, param: string): string {
  const found = (parameters as readonly Parameter[]).find(
    ({ name, in: place }) => name === param && place === 'path',
  )
  const value = data.make(found?.schema, param)
  return typeof value === 'string' ? encodeURIComponent(value) : '1'
}
