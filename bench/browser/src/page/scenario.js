import { Dataset, mostDiscussed } from '../../../src/data.mjs'
import { median } from '../../../src/statistics.mjs'
import { counts } from './counts.js'
import { measure, settle } from './measure.js'

/** The number of repetitions of a short step in a sample. */
const repetitions = 5

/**
 * The functions of a page that the benchmark calls.
 *
 * @typedef {object} App
 * @property {(text: string) => Promise<void>} ingest - stores the response with the list
 * @property {(element: Element) => void} mount - shows the list, whose data is stored
 * @property {() => void} unmount
 * @property {(screen: Screen) => void} show
 * @property {(text: string) => Promise<void>} changeIssue - stores the response to a change of one issue, whole or in part
 * @property {(text: string) => Promise<void>} changeUser - stores the response to a change of a user
 * @property {(text: string) => Promise<void>} writeUnrelated - stores a record that is not on screen
 * @property {() => void} close
 *
 * @typedef {'list' | 'discussed' | { id: number }} Screen
 * @typedef {{ committed: number, rows: number, views: number }} Figures
 */

/**
 * Runs all steps once, with a new store and root.
 *
 * @param {object} library
 * @param {() => App} library.createApp
 * @param {boolean} [library.hasTypenames] - true if records in responses carry `__typename`, as in GraphQL
 * @param {{ size: number, sample: number, checks: boolean, profiled?: string }} options - `checks`: whether all of what is
 *   shown is compared with what should be; `profiled`: the step of which a profile is taken
 * @returns {Promise<Record<string, Figures>>} by step
 */
export async function runSample({ createApp, hasTypenames = false }, { size, sample, checks, profiled }) {
  const dataset = new Dataset(size, { hasTypenames })
  const model = new Model(dataset)
  const container = document.body.appendChild(document.createElement('main'))
  // Hidden, because layout and paint happen after the measured step, cost the same for every library, and slow the run.
  container.hidden = true
  const app = createApp()
  /** @type {Record<string, Figures>} */
  const figures = {}

  async function step(name, act, isShown, expected) {
    await steps(name, 1, () => [act, isShown, expected])
  }
  /** The median of several repetitions of a short step. */
  async function steps(name, count, prepare) {
    globalThis.gc?.({ type: 'minor' })
    const taken = []
    for (let index = 0; index < count; index++) {
      const [act, isShown, expected] = prepare(index)
      counts.reset()
      if (name === profiled) console.profile(name)
      const committed = await measure(container, act, isShown)
      if (name === profiled) console.profileEnd(name)
      taken.push({ committed, rows: counts.rows, views: counts.views })
      if (checks) check(name, container, expected())
    }
    const middle = (metric) => median(taken.map((figure) => figure[metric]))
    figures[name] = {
      committed: middle('committed'),
      rows: middle('rows'),
      views: middle('views'),
    }
  }
  async function quietStep(name, act) {
    counts.reset()
    await act()
    await settle()
    figures[name] = { committed: 0, rows: counts.rows, views: counts.views }
  }

  const changed = (sample * 37 + 5) % size
  /** Finds the node before the clock starts, because searching thousands of nodes may take longer than the change. */
  const shows = (index, name, text) => {
    const cell = container.querySelector(`[data-id="${dataset.idAt(index)}"] .${name}`)
    return () => cell.textContent === text
  }
  const rowsShown = () => container.getElementsByTagName('tr').length
  const hasList = () => rowsShown() === size
  const list = () => model.issues.map(rowText)
  const discussed = () => mostDiscussed(model.issues).map(rowText)

  globalThis.gc?.()
  const mountedText = dataset.listText
  await step(
    'first mount',
    async () => {
      await app.ingest(mountedText)
      app.mount(container)
    },
    hasList,
    list,
  )
  app.unmount()
  await settle()
  // Otherwise the marking of garbage that the first mount started would continue here, and slow down node creation.
  globalThis.gc?.()
  await step('warm mount', () => app.mount(container), hasList, list)
  await settle()

  const changedAt = (index) => (changed + index * 101) % size
  await steps('change one', repetitions, (index) => {
    const text = model.change(changedAt(index), { title: `changed ${sample}` })
    return [() => app.changeIssue(text), shows(changedAt(index), 'title', `changed ${sample}`), list]
  })
  await steps('change one, flat', repetitions, (index) => {
    const text = model.patch(changedAt(index), { title: `patched ${sample}` })
    return [() => app.changeIssue(text), shows(changedAt(index), 'title', `patched ${sample}`), list]
  })
  await quietStep('unrelated write', () => app.writeUnrelated(dataset.notificationText(sample)))

  await steps('change the shared user', repetitions, (index) => {
    const name = `Renamed ${sample}.${index}`
    const text = model.changeUser(model.issues[changed].user, { name })
    return [() => app.changeUser(text), shows(changed, 'user', name), list]
  })

  await step(
    'show a detail',
    () => app.show({ id: dataset.idAt(changed) }),
    () => container.querySelector('article')?.dataset.id === String(dataset.idAt(changed)),
    () => [detailText(model.issues[changed])],
  )
  await step('back to the list', () => app.show('list'), hasList, list)
  const rowCount = discussed().length
  await step(
    'show the sorted view',
    () => app.show('discussed'),
    () => rowsShown() === rowCount,
    discussed,
  )
  // Keeps its position in the order, so that the cost is that of the check.
  const open = changed % 3 === 0 ? changed + 1 : changed
  await steps('change one in the sorted view', repetitions, (index) => {
    const title = `sorted ${sample}.${index}`
    const text = model.change(open, { title })
    return [() => app.changeIssue(text), shows(open, 'title', title), discussed]
  })
  const moved = model.change(open, { comments: 1000 })
  await step(
    'move one in the sorted view',
    () => app.changeIssue(moved),
    shows(open, 'comments', '1000'),
    discussed,
  )
  await quietStep('unrelated write, sorted view', () =>
    app.writeUnrelated(dataset.notificationText(sample + 1)),
  )

  app.unmount()
  app.close()
  container.remove()
  await settle()
  return figures
}

/** The data of the server, which the page should show. */
class Model {
  issues

  constructor(dataset) {
    this.issues = Array.from({ length: dataset.size }, (_, index) => dataset.issue(index))
  }

  /** @returns {string} the whole issue */
  change(index, changes) {
    const issue = { ...this.issues[index], ...changes }
    this.issues[index] = issue
    return JSON.stringify(issue)
  }

  /** @returns {string} the issue's id and its changes */
  patch(index, changes) {
    this.change(index, changes)
    const { __typename, id } = this.issues[index]
    return JSON.stringify({ __typename, id, ...changes })
  }

  /** @returns {string} the user */
  changeUser(known, changes) {
    const user = { ...known, ...changes }
    this.issues = this.issues.map((issue) => (issue.user.id === user.id ? { ...issue, user } : issue))
    return JSON.stringify(user)
  }
}

function rowText({ number, title, state, comments, user, labels }) {
  return [number, title, state, comments, user.name, ...labels.map(({ name }) => name)].join('|')
}

function detailText({ body, priority, createdAt, updatedAt, ...issue }) {
  return `${rowText(issue)}|${[body, priority, createdAt, updatedAt].join('|')}`
}

function check(name, container, expected) {
  const shown = [...container.querySelectorAll('[data-id]')].map((element) =>
    [...element.querySelectorAll('.part')].map((part) => part.textContent).join('|'),
  )
  if (shown.length !== expected.length) {
    throw new Error(`${name}: ${shown.length} records are shown instead of ${expected.length}`)
  }
  const wrong = shown.findIndex((text, index) => text !== expected[index])
  if (wrong !== -1)
    throw new Error(`${name}: at ${wrong} is "${shown[wrong]}" instead of "${expected[wrong]}"`)
}
