import { parseArgs } from 'node:util'
import { buildPage } from './build.mjs'
import { launch } from './measure.mjs'
import { pages } from './pages.mjs'
import { serve } from './serve.mjs'

// Prints the functions in which a page spends its time: node bench/browser/profile.mjs react-selfsame "warm mount"
const { positionals } = parseArgs({ allowPositionals: true })
const [name = 'react-selfsame', step = 'warm mount'] = positionals
const page = pages.find(({ framework, library }) => `${framework}-${library}` === name)
if (page === undefined) throw new Error(`There is no page "${name}"`)

const warmUps = 10
const samples = 30
const { url, close } = await serve(new Map([[name, await buildPage(page, { isReadable: true })]]))
const browser = await launch()
try {
  const tab = await browser.newPage()
  await tab.goto(`${url}/${name}`)
  const session = await tab.context().newCDPSession(tab)
  await session.send('Profiler.enable')
  await session.send('Profiler.setSamplingInterval', { interval: 100 })
  const profiles = []
  session.on('Profiler.consoleProfileFinished', ({ profile }) => profiles.push(profile))
  for (let sample = 1; sample <= samples; sample++) {
    const options = { size: 1000, sample, checks: false, profiled: sample > warmUps ? step : undefined }
    await tab.evaluate((given) => globalThis.runSample(given), options)
  }
  console.log(toTable(profiles))
} finally {
  await browser.close()
  close()
}

function toText(milliseconds) {
  return milliseconds.toFixed(3).padStart(8)
}

/** The functions with the most self time, with their total time. */
function toTable(profiles) {
  const own = new Map()
  const whole = new Map()
  const add = (times, place, time) =>
    times.set(place, (times.get(place) ?? 0) + time / 1000 / profiles.length)
  for (const { nodes, samples: hits, timeDeltas } of profiles) {
    const byId = new Map(nodes.map((node) => [node.id, node]))
    const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
    const placeOf = (id) => {
      const { functionName, lineNumber } = byId.get(id).callFrame
      return `${functionName || '(anonymous)'}:${lineNumber + 1}`
    }
    for (const [index, hit] of hits.entries()) {
      const places = new Set()
      for (let id = hit; id !== undefined; id = parents.get(id)) places.add(placeOf(id))
      add(own, placeOf(hit), timeDeltas[index])
      for (const place of places) add(whole, place, timeDeltas[index])
    }
  }
  const lines = [...whole]
    .filter(([place]) => !/^\((idle|program|root)\)/.test(place))
    .sort(([a], [b]) => (own.get(b) ?? 0) - (own.get(a) ?? 0))
    .slice(0, 60)
    .map(([place, time]) => `${toText(own.get(place) ?? 0)} ${toText(time)}  ${place}`)
  return ['own, and with all it calls: ms', ...lines].join('\n')
}
