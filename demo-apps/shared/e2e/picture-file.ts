/** The smallest picture, of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** A picture file of the given size. Bytes after the end of the picture are ignored. */
export function pictureFile(bytes: number) {
  return { name: 'me.png', mimeType: 'image/png', buffer: Buffer.concat([pixel, Buffer.alloc(bytes)]) }
}
