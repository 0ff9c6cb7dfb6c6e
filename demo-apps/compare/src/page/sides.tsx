import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { Side } from '../screen/Side.js'
import type { Library } from '../screen/library.js'
import { elementById } from './element-by-id.js'

/** Mounts the side of a library. @returns a function that mounts it anew, with an empty cache */
export function mountSide(library: Library): () => void {
  const root = createRoot(elementById(library.id))
  let count = 0
  const mount = () => flushSync(() => root.render(<Side key={count++} library={library} />))
  mount()
  return mount
}
