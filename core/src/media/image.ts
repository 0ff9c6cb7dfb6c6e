import { Endpoint } from '../endpoint/endpoint.js'
import type { FetchContext } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'

/** An image, by the attributes that decide what an `<img>` loads. Give the `<img>` the same. */
export interface ImageSource {
  readonly src: string
  readonly srcset?: string | undefined
  readonly sizes?: string | undefined
  readonly crossOrigin?: 'anonymous' | 'use-credentials' | undefined
}

/**
 * Loads and decodes an image, so that it is on screen in the frame in which its `<img>` is: `useSuspense` shows the
 * fallback until then. Once decoded it is never Stale. When its last reader leaves meanwhile, loading ends. Where there
 * are no images (a server) it resolves at once.
 *
 * @returns `src`
 * @throws {SelfsameError} `image-unusable` for an image that cannot be loaded or decoded
 * @see specification 4.3, Media
 * @example
 * const src = useSuspense(getImage, { src: '/photo.jpg' })
 * return <img src={src} />
 */
export const getImage = new Endpoint(decodeImage, { name: 'getImage', dataExpiryLength: Infinity })

async function decodeImage(this: FetchContext, source: ImageSource): Promise<string> {
  const { src } = source
  const { signal } = this
  if (typeof Image !== 'function' || !('decode' in Image.prototype)) return src
  signal?.throwIfAborted()
  const image = new Image()
  // Before `src`, which starts the request.
  for (const name of ['crossOrigin', 'sizes', 'srcset'] as const) {
    const value = source[name]
    if (value !== undefined) image[name] = value
  }
  image.src = src
  try {
    await decodeUntil(image, signal)
  } catch (cause) {
    signal?.throwIfAborted()
    throw errors.imageUnusable('getImage', src, cause)
  }
  return src
}

/** Decodes an image that may be given up meanwhile. Taking its address away ends loading, but not the promise. */
function decodeUntil(image: HTMLImageElement, signal: AbortSignal | undefined): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const end = () => {
      image.removeAttribute('srcset')
      image.src = ''
      reject(signal?.reason as Error)
    }
    signal?.addEventListener('abort', end)
    image
      .decode()
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener('abort', end))
  })
}
