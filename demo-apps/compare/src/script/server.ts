import { urlPrefix } from '../url-prefix.js'

/** Sends a request of another client, which belongs to neither side. @param route - `PATCH /article/1` */
export async function send(route: string, body?: object): Promise<Response> {
  const [method = '', path = ''] = route.split(' ')
  const response = await fetch(urlPrefix + path, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${route} was answered with ${response.status}.`)
  return response
}

export async function answerOf<Answer>(route: string): Promise<Answer> {
  const response = await send(route)
  return (await response.json()) as Answer
}
