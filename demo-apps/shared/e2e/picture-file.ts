/** The smallest picture, of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** A picture as a user chooses it from his disk, as large as is said: what follows its end is ignored. */
export function pictureFile(bytes: number) {
  return { name: 'me.png', mimeType: 'image/png', buffer: Buffer.concat([pixel, Buffer.alloc(bytes)]) }
}
