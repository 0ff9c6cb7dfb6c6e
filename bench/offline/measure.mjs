import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { launch } from '../browser/measure.mjs'
import { serve } from '../browser/serve.mjs'
import { productionConfig } from '../src/production.mjs'

/** Builds the page of one library. @param {string} library @returns {Promise<string>} a script */
async function buildPage(library) {
  const output = await build({
    ...productionConfig([]),
    root: fileURLToPath(new URL('.', import.meta.url)),
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: {
        input: fileURLToPath(new URL(`src/${library}.js`, import.meta.url)),
        output: { format: 'iife', codeSplitting: false },
      },
    },
  })
  const [chunk] = [output].flat()[0].output
  if (chunk.type !== 'chunk') throw new Error(`${library} was built into no script`)
  return chunk.code
}

/**
 * Opens a browser, and gives a way to run steps in the page of a library, each with its figures and `busy`: the milliseconds
 * of processor time that the main thread took.
 *
 * @param {readonly string[]} libraries
 * @param {(open: (library: string) => Promise<Visitor>) => AsyncIterable<Row>} use
 * @template Row
 * @returns {AsyncIterable<Row>}
 *
 * @typedef {object} Visitor
 * @property {(step: string, size: number) => Promise<Record<string, number>>} run
 * @property {() => Promise<void>} reload
 * @property {() => Promise<void>} close - deletes what it stored
 */
export async function* withPages(libraries, use) {
  const scripts = new Map()
  for (const library of libraries) scripts.set(library, await buildPage(library))
  const { url, close } = await serve(scripts)
  const browser = await launch()
  try {
    yield* use(async (library) => {
      const context = await browser.newContext()
      const page = await context.newPage()
      const session = await context.newCDPSession(page)
      // What else the machine does is not in it.
      await session.send('Performance.enable', { timeDomain: 'threadTicks' })
      const busyTime = async () => {
        const { metrics } = await session.send('Performance.getMetrics')
        return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
      }
      const errors = []
      page.on('pageerror', (error) => errors.push(error))
      await page.goto(`${url}/${library}`)
      return {
        run: async (step, size) => {
          const before = await busyTime()
          const figures = await page
            .evaluate(([name, given]) => globalThis.steps[name](given), [step, size])
            .catch((error) => {
              throw new Error(`${library}, ${step}: ${error.message}`, { cause: errors[0] ?? error })
            })
          return { ...figures, busy: (await busyTime()) - before }
        },
        reload: async () => void (await page.reload()),
        close: () => context.close(),
      }
    })
  } finally {
    await browser.close()
    close()
  }
}
