import { Todo, createBrowser, settle } from './testing-stage.js'
import { schema } from '../index.js'
import { createRandom } from '../simulation/testing-random.js'
import type { RowStorage } from '../storage.js'

/** A change that a user made. */
interface Made {
  readonly title: string
  /** The tab, numbered over all reloads. */
  readonly tab: number
  /** The record: its id, or the title of the create. */
  readonly record: string
  /** `true` if its tab crashed before it was written down. */
  mayBeLost: boolean
}

/**
 * Users edit and create in up to three tabs, which are closed, killed and opened at random, while the network comes and goes, the
 * server is unavailable or loses answers, and the storage fails now and then. In the end the server must have each change once, in
 * the order of each tab and record.
 *
 * @param storage - of all tabs, or a function that opens one for each tab
 * @returns the count of steps
 * @throws {Error} naming the seed, and what is wrong
 */
export async function runWorld(
  seed: number,
  storage: RowStorage | (() => RowStorage),
  length = 60,
): Promise<number> {
  const ends: (() => void)[] = []
  try {
    return await run(seed, storage, length, (end) => ends.push(end))
  } finally {
    for (const end of ends) end()
  }
}

/**
 * Runs a world over many steps; of one that ends wrong it finds the fewest steps with which it does.
 *
 * @param storageOf - makes an empty storage for each attempt
 * @throws {Error} of the shortest world that ends wrong
 */
export async function runShortened(
  seed: number,
  storageOf: () => RowStorage | (() => RowStorage),
  length: number,
): Promise<number> {
  try {
    return await runWorld(seed, storageOf(), length)
  } catch (error) {
    // A shorter world takes the first steps of the longer one.
    for (let fewer = 1; fewer < length; fewer++) await runWorld(seed, storageOf(), fewer)
    throw error
  }
}

async function run(
  seed: number,
  storage: RowStorage | (() => RowStorage),
  length: number,
  onEnd: (end: () => void) => void,
): Promise<number> {
  const random = createRandom(seed)
  // The names of tabs and temporary ids too are the same for the same seed. No spies: they keep what they were called with.
  const { random: realRandom } = Math
  const { warn } = console
  Math.random = createRandom(seed + 1).fraction
  // A storage that fails is told of.
  console.warn = () => {}
  onEnd(() => {
    Math.random = realRandom
    console.warn = warn
  })
  const browser = createBrowser(storage, onEnd)
  const { server, network, clock, open, crash, kill, todos, storageFault } = browser
  const made: Made[] = []
  let tabs: { readonly number: number; readonly tab: ReturnType<typeof open> }[] = []
  let tabCount = 0
  const log: string[] = []
  let isStorageBad = false
  const all = new schema.All(Todo)

  function openOne(): void {
    clock.advance(1)
    isStorageBad = false
    tabs.push({ number: ++tabCount, tab: open() })
  }
  function crashOne(index: number): void {
    const [gone] = tabs.splice(index, 1)
    if (gone === undefined) return
    for (const { args, isWritten } of gone.tab.box.mutations) {
      const { title } = args.at(-1) as { title: string }
      const one = made.find((each) => each.title === title)
      if (one !== undefined && !isWritten) one.mayBeLost = true
    }
    const isKilled = random.below(2) === 0
    log.push(`tab ${gone.number} is ${isKilled ? 'killed' : 'closed'}`)
    if (isKilled) kill(gone.tab.controller)
    else crash(gone.tab.controller)
  }
  function change(): void {
    const { number, tab } = random.pick(tabs)
    const title = `t${made.length}`
    const known = tab.controller.get(all) ?? []
    const { id, title: shown } = random.pick([...known, { id: 1, title: '' }, { id: 2, title: '' }])
    const isTemporary = String(id).startsWith('new-')
    const earlier = isTemporary ? made.find((each) => each.title === shown)?.record : undefined
    if (isTemporary && earlier === undefined) return
    log.push(`${number}: ${title} of ${earlier ?? String(id)}`)
    made.push({ title, tab: number, record: earlier ?? `id ${String(id)}`, mayBeLost: false })
    tab.controller.fetch(todos.partialUpdate, { id }, { title }).catch(() => {})
  }
  function create(): void {
    const { number, tab } = random.pick(tabs)
    const title = `t${made.length}`
    log.push(`${number}: create ${title}`)
    made.push({ title, tab: number, record: `made ${title}`, mayBeLost: false })
    tab.controller.fetch(todos.create, { title }).catch(() => {})
  }
  const faults = ['lost', 'down', 503, undefined] as const
  let fault: (typeof faults)[number]
  server.fault = () => (random.below(3) === 0 ? undefined : fault)
  storageFault.isFailing = () => isStorageBad && random.below(3) === 0
  openOne()
  for (let step = 0; step < length; step++) {
    const choice = random.below(13)
    if (choice < 4) change()
    else if (choice < 5) create()
    else if (choice < 6 && tabs.length < 3) openOne()
    else if (choice < 7) {
      crashOne(random.below(tabs.length))
      if (tabs.length === 0) openOne()
    } else if (choice < 8) {
      network.set(random.below(2) === 0)
      log.push(network.isOnline() ? 'online' : 'offline')
    } else if (choice < 9) {
      fault = random.pick(faults)
      log.push(`fault ${String(fault)}`)
    } else if (choice < 10) {
      // A tab that cannot read at its start works alone.
      isStorageBad = !isStorageBad && tabs.every(({ tab }) => tab.box.isReady)
      log.push(`storage ${isStorageBad ? 'bad' : 'good'}`)
    } else if (choice < 11) clock.advance(random.below(2500))
    else await settle(random.below(6))
  }
  fault = undefined
  isStorageBad = false
  network.set(true)
  const isWaiting = async () => {
    if (!tabs.every(({ tab }) => tab.box.isReady && tab.box.mutations.length === 0)) return true
    const rows = await browser.storage.list('outbox/')
    // What a process wrote in the moment in which it was killed is not told to other tabs: the next visit finds it.
    return rows.some(([, row]) => {
      const { done, args } = row as unknown as { done: unknown; args: readonly { title: string }[] | null }
      return done === null && made.find(({ title }) => title === args?.at(-1)?.title)?.mayBeLost !== true
    })
  }
  // What a closed tab writes at its end is seen in a later round.
  for (let [round, quietRounds] = [0, 0]; round < 600 && quietRounds < 3; round++) {
    await settle(6)
    clock.advance(2000)
    quietRounds = (await isWaiting()) ? 0 : quietRounds + 1
  }
  await settle()
  const wrong: string[] = []
  if (await isWaiting()) wrong.push('a mutation waits in the storage')
  for (const { number, tab } of tabs)
    if (tab.box.mutations.length > 0)
      wrong.push(`tab ${number} has left ${JSON.stringify(tab.box.mutations)}`)
  const applied = server.applied.map(({ body }) => (body as { title: string }).title)
  for (const { title, mayBeLost } of made) {
    const { length: times } = applied.filter((each) => each === title)
    if (times > 1 || (times === 0 && !mayBeLost)) wrong.push(`${title} was applied ${times} times`)
  }
  const realIds = new Map<string, string>()
  const orders = new Map<string, number[]>()
  for (const { name, body } of server.applied) {
    const { title } = body as { title: string }
    const index = made.findIndex((each) => each.title === title)
    const done = made[index]
    if (done === undefined) continue
    if (name === 'POST /todo') realIds.set(done.record, String([...server.todos.keys()][3 + realIds.size]))
    const key = `${done.tab} ${done.record}`
    orders.set(key, [...(orders.get(key) ?? []), index])
  }
  for (const [key, order] of orders)
    if (order.some((index, place) => place > 0 && index < (order[place - 1] ?? 0)))
      wrong.push(`the order of ${key} was ${order.join()}`)
  for (const { number, tab } of tabs) {
    const list = (await tab.controller.fetch(todos.getList)) ?? []
    const shown = [...list].map(({ id, title }) => [id, title])
    const truth = [...server.todos.values()].map(({ id, title }) => [id, title])
    if (JSON.stringify(shown) !== JSON.stringify(truth))
      wrong.push(`tab ${number} shows ${JSON.stringify(shown)}, and the server has ${JSON.stringify(truth)}`)
  }
  for (const { tab } of tabs) crash(tab.controller)
  tabs = []
  if (wrong.length > 0)
    throw new Error(`Seed ${seed}, ${length} steps:\n${wrong.join('\n')}\n${log.join('\n')}`)
  return length
}
