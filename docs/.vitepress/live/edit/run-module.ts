import { guardName } from './guard.js'
import { Problem } from './problem.js'

export type Require = (specifier: string) => object
type Factory = (require: Require, exports: Record<string, unknown>) => void

/** How a script hands over its module. */
const handOver = 'selfsameLiveModule'

declare global {
  interface Window {
    [handOver]?: ((require: Require, exports: object, guard: () => void) => void) | undefined
  }
}

/**
 * Loads a CommonJS module as a script of its own: unlike a module or a `Function`, that tells the line of a syntax error, and its
 * lines are those of the code.
 *
 * @param onUrl - called with the address that its errors name
 * @throws Problem if it cannot be parsed
 */
export async function runModule(
  name: string,
  code: string,
  guard: () => void,
  onUrl: (url: string) => void,
): Promise<Factory> {
  const text = `window.${handOver} = (require, exports, ${guardName}) => {${code}\n}`
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
  onUrl(url)
  let problem: Problem | undefined
  const listen = (event: ErrorEvent) => {
    if (event.filename !== url) return
    event.preventDefault()
    problem = new Problem(event.message.replace(/^Uncaught /, ''), name, event.lineno)
  }
  const script = document.createElement('script')
  script.src = url
  addEventListener('error', listen)
  try {
    const factory = await new Promise<Window[typeof handOver]>((resolve, reject) => {
      script.addEventListener('load', () => {
        resolve(window[handOver])
        window[handOver] = undefined
      })
      script.addEventListener('error', () => reject(new Problem('The code could not be loaded.', name)))
      document.head.append(script)
    })
    if (factory === undefined) throw problem ?? new Problem('The code could not be run.', name)
    return (require, exports) => factory(require, exports, guard)
  } finally {
    removeEventListener('error', listen)
    script.remove()
    URL.revokeObjectURL(url)
  }
}
