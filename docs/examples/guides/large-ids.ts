import { Entity } from '@selfsame/core'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import type { RestOptions } from '@selfsame/core/rest'

/** Matches a text or a number of JSON. */
const textOrNumber = /"(?:\\.|[^"\\])*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

class LargeIds<
  const Options extends RestOptions,
> extends RestEndpoint<Options> {
  override async parseResponse(response: Response): Promise<unknown> {
    const body = await response.text()
    return JSON.parse(
      body.replace(textOrNumber, (found) =>
        /^-?\d{16,}$/.test(found) ? `"${found}"` : found,
      ),
    )
  }
}

export class Message extends Entity {
  id = ''
  text = ''
  static override key = 'Message'
}

export const messageResource = createResource({
  urlPrefix: 'https://api.example.com',
  path: '/message/:id',
  schema: Message,
  Endpoint: LargeIds,
})
