import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineMocks } from './mocks.js'
import { prepared } from './testing-mock.js'
import { backendOf } from './testing-server.js'
import { toDescription } from './to-description.js'

/** Asks the mocks of a description for each of its reads. @returns what a validator finds wrong in the answers */
export async function wrongAnswersOf(name: string): Promise<string[]> {
  const source = JSON.parse(
    readFileSync(join(import.meta.dirname, `../fixtures/${name}.json`), 'utf8'),
  ) as object
  const description = toDescription(source)
  const backend = backendOf(prepared(description))
  await backend.init()
  const mocks = defineMocks(description, { urlPrefix: 'http://127.0.0.1' })
  const wrong: string[] = []
  for (const operation of backend.getOperations().filter(({ method }) => method === 'get')) {
    const response = await mocks.fetch(`http://127.0.0.1${operation.path.replace(/\{[^{}]+\}/g, '1')}`)
    if (response.status === 204) continue
    const value: unknown = await response.json().catch(() => undefined)
    const { errors } = backend.validateResponse(value, operation, response.status)
    for (const { keyword, instancePath, message } of errors ?? [])
      // The validator takes a number for text as well, so that both of a choice fit.
      if (keyword !== 'oneOf') wrong.push(`${operation.operationId} ${instancePath} ${message}`)
  }
  return wrong
}
