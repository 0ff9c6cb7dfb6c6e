import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { Dataset, cycleText, mostDiscussed, userCount } from './data.mjs'
import { collectGarbage, heapInUse, once, repeat, settle, time, timeBatched, timeNow } from './measure.mjs'
import { median } from './statistics.mjs'

/**
 * The scenarios of `catalogue.mjs`, for any adapter. Each returns its figures by metric, or a sentence that says why
 * there are none, and throws if the library returns wrong data.
 *
 * @typedef {import('./adapters/adapter.mjs').Adapter} Adapter
 * @typedef {import('./measure.mjs').Effort} Effort
 * @typedef {Record<string, number>} Result
 */

export const cycleSize = 4000
/** Several small stores are measured together, so that their bytes stand out from those of the process. */
const heapRecords = 10_000
const maxStores = 20

/**
 * Runs one scenario.
 *
 * @param {Adapter} adapter
 * @param {string} scenario
 * @param {Dataset} data
 * @param {Effort} effort
 * @returns {Promise<Result | { missing: string }>}
 */
export async function runScenario(adapter, scenario, data, effort) {
  const missing = adapter.missing?.[scenario]
  if (missing !== undefined) return { missing }
  return await procedures[scenario](adapter, data, effort)
}

/**
 * Runs one scenario to compile its code: with little data first, then once with all data.
 *
 * @param {Adapter} adapter
 * @param {string} scenario
 * @param {Dataset} data
 * @param {Effort} effort
 */
export async function runWarm(adapter, scenario, data, effort) {
  if (scenario === 'H' || scenario === 'cycle') return runScenario(adapter, scenario, data, effort)
  if (adapter.missing?.[scenario] !== undefined) return runScenario(adapter, scenario, data, effort)
  const options = { hasTypenames: adapter.hasTypenames === true }
  // Keeps a small store, as an application does: without any, the engine drops the hidden classes of its objects.
  const resident = await loaded(adapter, new Dataset(50, options))
  const little = new Dataset(Math.min(data.size, 1000), options)
  await runScenario(adapter, scenario, little, { ...effort, minSamples: 50, maxSamples: Infinity })
  const outcome = await runScenario(adapter, scenario, data, effort)
  adapter.close?.(resident)
  return outcome
}

/** @type {Record<string, (adapter: Adapter, data: Dataset, effort: Effort) => Promise<Result>>} */
const procedures = {
  async P(_adapter, data, effort) {
    const times = []
    await repeat(effort, async () => {
      await collectBefore(data)
      times.push(timeNow(() => JSON.parse(data.listText)))
    })
    return { time: median(times) }
  },

  async A(adapter, data, effort) {
    const { store } = await storeAndRead(adapter, data, effort, adapter.push ?? adapter.ingest)
    return { time: median(store) }
  },

  async C(adapter, data, effort) {
    const part = { ...effort, budgetMs: effort.budgetMs / 2 }
    const asked = await storeAndRead(adapter, data, part, adapter.ingest)
    const pushed = adapter.push === undefined ? asked : await storeAndRead(adapter, data, part, adapter.push)
    if (adapter.createSeen === undefined) return { time: median(pushed.read), hand: inHand(asked) }
    const seen = await storeAndRead({ ...adapter, create: adapter.createSeen }, data, part, adapter.ingest)
    return { time: median(pushed.read), hand: inHand(asked), seen: inHand(seen) }
  },

  async B(adapter, data, effort) {
    const store = await loaded(adapter, data)
    let calls = 0
    const unwatch = adapter.watchList?.(store, () => calls++)
    const before = adapter.readList(store)
    await settle()
    calls = 0
    const pollBy = async (step) => {
      const times = []
      await repeat({ ...effort, budgetMs: effort.budgetMs / 2 }, async () => {
        await collectBefore(data)
        times.push(await time(step))
      })
      return times
    }
    const polled = await pollBy(async () => {
      await adapter.ingest(store, data.listText)
      adapter.readList(store)
    })
    const push = adapter.push ?? adapter.ingest
    const pushed = await pollBy(() => {
      const written = push(store, data.listText)
      if (written instanceof Promise) return written.then(() => adapter.readList(store))
      return adapter.readList(store)
    })
    await settle()
    const after = adapter.readList(store)
    assertList(after, data)
    unwatch?.()
    adapter.close?.(store)
    return {
      time: median(polled),
      pushed: median(pushed),
      kept: (data.size - countRenewed(before, after)) / data.size,
      list: before === after ? 1 : 0,
      ...(unwatch === undefined ? {} : { calls: calls / (polled.length + pushed.length) }),
    }
  },

  async D(adapter, data, effort) {
    const store = await loaded(adapter, data)
    const unwatch = adapter.watchList?.(store, () => {})
    const readMounted = adapter.openList?.(store) ?? (() => adapter.readList(store))
    const half = { ...effort, budgetMs: effort.budgetMs / 2 }
    const mounted = await timeBatched(readMounted, half)
    const readByKey = adapter.readByKey ?? adapter.readList
    const key = await timeBatched(() => readByKey(store), half)
    assertList(readMounted(), data)
    unwatch?.()
    adapter.close?.(store)
    return { time: mounted, key }
  },

  async E(adapter, data, effort) {
    const store = await loaded(adapter, data)
    const renewed = []
    let before = adapter.readList(store)
    let count = 0
    const changeBy = async (change) => {
      const writes = []
      const times = []
      await repeat({ ...effort, budgetMs: effort.budgetMs / 2 }, async () => {
        const index = count++
        const position = (index * 7 + 3) % data.size
        const title = `Title ${index} of its life`
        const text = data.issueText(position, { title })
        await collectBefore(data)
        const write = await time(() => change(store, text))
        let list
        const read = timeNow(() => (list = adapter.readList(store)))
        writes.push(write)
        times.push(write + read)
        assertList(list, data, { [position]: { title } })
        if (index < 20) renewed.push(countRenewed(before, list))
        before = list
      })
      return { write: median(writes), time: median(times) }
    }
    const { time: withRead, write } = await changeBy(adapter.changeIssue)
    const { time: pushed } = await changeBy(adapter.pushIssue ?? adapter.changeIssue)
    adapter.close?.(store)
    return { time: withRead, write, pushed, renewed: median(renewed) }
  },

  async E2(adapter, data, effort) {
    const store = await loaded(adapter, data)
    const times = []
    const renewed = []
    let before = adapter.readList(store)
    await repeat(effort, async (index) => {
      const userIndex = (index * 7 + 3) % Math.min(userCount, data.size)
      const name = `Renamed ${index} times`
      const text = data.userText(userIndex, { name })
      await collectBefore(data)
      let list
      times.push(
        await time(async () => {
          const written = adapter.changeUser(store, text)
          if (written instanceof Promise) await written
          list = adapter.readList(store)
        }),
      )
      const id = data.userIdAt(userIndex)
      const shown = list.filter(({ user }) => user.id === id)
      assert.ok(shown.length > 0 && shown.every(({ user }) => user.name === name), 'the user is changed')
      assert.equal(list.length, data.size)
      if (index < 20) renewed.push(countRenewed(before, list) / shown.length)
      before = list
    })
    adapter.close?.(store)
    return { time: median(times), renewed: median(renewed) }
  },

  async F(adapter, data, effort) {
    const ids = Array.from({ length: data.size }, (_, index) => data.idAt(index))
    let calls = 0
    let told
    let shown
    const tell = (issue) => {
      calls++
      shown = issue
      told?.()
    }
    const mounts = []
    const openReaders = async () => {
      const store = await loaded(adapter, data)
      const ends = []
      await collectBefore(data)
      const mount = await time(() => {
        adapter.prepareReaders?.(store, ids)
        for (const id of ids) ends.push(adapter.watchIssue(store, id, tell))
      })
      mounts.push(mount / data.size)
      await settle()
      const close = () => {
        for (const end of ends) end()
        adapter.close?.(store)
      }
      return { store, close }
    }
    await repeat({ ...effort, minSamples: 1 }, async () => (await openReaders()).close())
    const { store, close } = await openReaders()
    const times = []
    const callsEach = []
    await repeat(effort, async (index) => {
      const position = (index * 7 + 3) % data.size
      const title = `Title ${index} of its life`
      const text = data.issueText(position, { title })
      await settle()
      calls = 0
      let isTold = false
      const allTold = new Promise((resolve) => {
        told = () => {
          isTold = true
          resolve(undefined)
        }
      })
      times.push(
        await time(async () => {
          const written = adapter.changeIssue(store, text)
          if (written instanceof Promise) await written
          if (!isTold) await allTold
        }),
      )
      await settle()
      callsEach.push(calls)
      assert.equal(shown?.title, title, 'the reader is shown the change')
    })
    close()
    return { time: median(times), mount: median(mounts), calls: median(callsEach) }
  },

  async G(adapter, data, effort) {
    let runs = 0
    const process = (issues) => {
      runs++
      return mostDiscussed(issues)
    }
    const third = { ...effort, budgetMs: effort.budgetMs / 3 }
    const first = []
    await repeat(third, async () => {
      const fresh = adapter.create()
      await adapter.ingest(fresh, data.listText)
      await collectBefore(data)
      let derived
      let list
      first.push(
        await time(() => {
          derived = adapter.derive(fresh, process)
          if (derived.ready !== undefined) return derived.ready.then(() => (list = derived.read()))
          list = derived.read()
          return undefined
        }),
      )
      assertDerived(list, data)
      derived.close?.()
      adapter.close?.(fresh)
    })

    const store = await loaded(adapter, data)
    const derived = adapter.derive(store, process)
    await derived.ready
    assertDerived(derived.read(), data)
    runs = 0
    const unrelated = []
    if (adapter.writeUnrelated !== undefined) {
      await repeat(third, async (index) => {
        const written = adapter.writeUnrelated(store, data.notificationText(index))
        if (written instanceof Promise) await written
        unrelated.push(timeNow(() => derived.read()))
      })
    }
    const runsOfUnrelated = runs
    const related = []
    await repeat(third, async (index) => {
      // Issues 0, 3, 6 and so on are closed; this one is open.
      const at = 1 + 3 * (index % Math.floor(data.size / 3))
      const comments = 1000 + index
      const text = data.issueText(at, { comments })
      await collectBefore(data)
      let list
      related.push(
        await time(async () => {
          const written = adapter.changeIssue(store, text)
          if (written instanceof Promise) await written
          list = derived.read()
        }),
      )
      assert.equal(list[0].id, data.idAt(at), 'the issue with most comments is the first')
    })
    derived.close?.()
    adapter.close?.(store)
    return {
      related: median(related),
      first: median(first),
      ...(unrelated.length === 0 ? {} : { unrelated: median(unrelated) }),
      ...(derived.countsRuns && unrelated.length > 0 ? { runs: runsOfUnrelated / unrelated.length } : {}),
    }
  },

  async H(adapter, data, effort) {
    const copies = Math.min(maxStores, Math.max(1, Math.ceil(heapRecords / data.size)))
    const perRecord = (bytes) => bytes / (copies * data.size)
    await useOnce(adapter, { hasTypenames: adapter.hasTypenames === true })
    const emptyHeap = await heapInUse()
    const stores = []
    for (let copy = 0; copy < copies; copy++) {
      const store = adapter.create()
      await (adapter.push ?? adapter.ingest)(store, data.listText)
      stores.push(store)
    }
    const ingested = perRecord((await heapInUse()) - emptyHeap)
    for (const store of stores) {
      adapter.readList(store)
      await adapter.ingest(store, data.listText)
      assert.equal(adapter.readList(store).length, data.size)
    }
    const read = perRecord((await heapInUse()) - emptyHeap)
    for (const store of stores) adapter.close?.(store)
    stores.length = 0

    const bareHeap = await heapInUse()
    const parsedLists = Array.from({ length: effort === once ? 1 : copies }, () => JSON.parse(data.listText))
    const parsed = ((await heapInUse()) - bareHeap) / (parsedLists.length * data.size)
    assert.equal(parsedLists[0].length, data.size)
    return { read, ingested, parsed }
  },

  async cycle(adapter, _data, effort) {
    const text = cycleText(cycleSize)
    const times = []
    const growth = []
    await repeat({ ...effort, maxSamples: Math.min(effort.maxSamples, 5) }, async () => {
      const store = adapter.createCycle()
      const heapBefore = await heapInUse()
      let nodes
      times.push(
        await time(async () => {
          await adapter.ingestCycle(store, text)
          nodes = adapter.readCycle(store)
        }),
      )
      growth.push(((await heapInUse()) - heapBefore) / 1e6)
      assertCycle(nodes)
    })
    return { time: median(times), memory: median(growth) }
  },
}

const inHand = ({ store, read }) => median(store.map((stored, index) => stored + read[index]))

/** The times to store the list and then to read it, by sample. */
async function storeAndRead(adapter, data, effort, storeText) {
  const times = { store: [], read: [] }
  await repeat(effort, async () => {
    const store = adapter.create()
    await collectBefore(data)
    times.store.push(await time(() => storeText(store, data.listText)))
    let list
    times.read.push(timeNow(() => (list = adapter.readList(store))))
    assertList(list, data)
    adapter.close?.(store)
  })
  return times
}

/**
 * Uses a library once, which compiles its code and fills its tables, so that this does not count as a cost of
 * records. Uses little data: a timer of the library may retain the store for a while, and the memory that it frees
 * later would be subtracted.
 */
async function useOnce(adapter, options) {
  const store = await loaded(adapter, new Dataset(50, options))
  adapter.close?.(store)
}

/** A store whose list was stored and read. */
async function loaded(adapter, data) {
  const store = adapter.create()
  await adapter.ingest(store, data.listText)
  assertList(adapter.readList(store), data)
  return store
}

/**
 * Collects garbage before large samples, which the garbage of earlier samples would slow down, and waits for the
 * engine's other threads. For smaller ones the engine collects by itself; `collectGarbage` says why.
 */
async function collectBefore({ size }) {
  if (size < 100_000) return
  collectGarbage()
  await setTimeout(30)
}

/** @param {readonly unknown[]} before @param {readonly unknown[]} after */
function countRenewed(before, after) {
  return after.reduce((count, member, index) => count + (member === before[index] ? 0 : 1), 0)
}

/** Checks a list against the server's data: some fields of all issues, and all fields of some. */
function assertList(list, data, changes = {}) {
  assert.ok(Array.isArray(list), 'the list is an array')
  assert.equal(list.length, data.size)
  for (const index of new Set([0, data.size >> 1, data.size - 1])) {
    if (!(index in changes)) assertIssue(list[index], data.issue(index), index)
  }
  for (const [index, change] of Object.entries(changes)) {
    for (const [field, value] of Object.entries(change)) assert.equal(list[index][field], value)
    assert.equal(list[index].user.id, data.issue(Number(index)).user.id)
  }
}

function assertIssue(actual, expected, index) {
  assert.equal(actual.id, expected.id, `the issue at ${index}`)
  assert.equal(actual.number, expected.number)
  assert.equal(actual.body, expected.body)
  assert.equal(actual.user.login, expected.user.login, `the user of the issue at ${index}`)
  assert.deepEqual(
    actual.labels.map(({ name }) => name),
    expected.labels.map(({ name }) => name),
  )
}

function assertDerived(list, data) {
  const expected = data.mostDiscussedIds
  assert.equal(list.length, expected.length)
  for (const index of [0, expected.length >> 1, expected.length - 1]) {
    assert.equal(list[index].id, expected[index])
  }
}

function assertCycle(nodes) {
  assert.equal(nodes.length, cycleSize)
  let node = nodes[0]
  for (let step = 0; step < cycleSize; step++) {
    assert.equal(node.next.id, (node.id % cycleSize) + 1)
    node = node.next
  }
  assert.equal(node.name, nodes[0].name, 'the cycle ends where it began')
}
