import { Endpoint } from '../endpoint/endpoint.js'
import type { FetchContext } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { displayOf } from '../errors.js'

/** The attributes that decide which image an `<img>` loads. Set the same attributes on the `<img>`. */
export interface ImageSource {
  readonly src: string
  readonly srcset?: string | undefined
  readonly sizes?: string | undefined
  readonly crossOrigin?: 'anonymous' | 'use-credentials' | undefined
}

/**
 * Loads and decodes an image before its `<img>` is shown. `useSuspense` shows the fallback until then. A decoded image is
 * never Stale. Loading stops when the last reader is removed. On a server it resolves at once.
 *
 * @returns `src`
 * @throws {SelfsameError} `image-unusable` if the image cannot be loaded or decoded
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
    // A data URL is the image itself.
    const shown = displayOf(src)
    throw errors.imageUnusable('getImage', shown.length > 200 ? `${shown.slice(0, 200)}…` : shown, cause)
  }
  return src
}

/** Decodes an image until the signal is aborted. Removing its address stops loading, but does not settle the promise. */
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
