import { libraries } from './libraries.js'
import { elementById } from './page/element-by-id.js'
import { startScore } from './page/score.js'
import { mountSide } from './page/sides.js'
import { startTabs } from './page/tabs.js'
import { runScript } from './script/run.js'

startTabs()
const score = startScore()
const mounts = new Map(libraries.map((library) => [library, mountSide(library)]))

const button = elementById('run')
const status = elementById('status')
let running: AbortController | undefined

button.addEventListener('click', async () => {
  if (running !== undefined) return running.abort(new Error('It was stopped.'))
  running = new AbortController()
  const { signal } = running
  const start = performance.now()
  showButton('Stop', 'square')
  score.clear()
  try {
    await runScript(
      libraries.map((library) => ({
        library,
        signal,
        mount: mounts.get(library) ?? (() => {}),
        get side() {
          return elementById(library.id)
        },
      })),
      {
        begin(title) {
          score.begin(title)
          status.textContent = `Both sides: ${title}`
        },
        add: score.add,
      },
    )
    status.textContent = `Done in ${Math.round((performance.now() - start) / 1000)} seconds. Both sides showed the same after each step.`
  } catch (error) {
    status.textContent = error instanceof Error ? error.message : String(error)
  }
  score.end()
  running = undefined
  showButton('Run the script', 'play')
})

elementById('reset').addEventListener('click', () => {
  for (const { counts } of libraries) counts.reset()
})

function showButton(text: string, icon: string): void {
  button.textContent = text
  button.dataset['icon'] = icon
}
