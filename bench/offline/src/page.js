/** What the pages share: their data, what is counted, and when all is quiet. */

/** The count of records in one list, which is a screen. */
export const pageLength = 100

const users = 50

/** The records of one list. @param {number} page @returns {object[]} */
export const listOf = (page) =>
  Array.from({ length: pageLength }, (_, index) => {
    const id = page * pageLength + index + 1
    return {
      id,
      title: `Issue ${id}: the list jumps when a page is added`,
      state: id % 3 === 0 ? 'closed' : 'open',
      comments: id % 17,
      createdAt: `2026-01-${String((id % 28) + 1).padStart(2, '0')}T10:00:00Z`,
      user: { id: (id % users) + 1, name: `User ${(id % users) + 1}` },
    }
  })

/** What was written in this step. */
const written = []

const { put } = IDBObjectStore.prototype
IDBObjectStore.prototype.put = function countedPut(value, ...key) {
  written.push(value)
  lastWrite = performance.now()
  return put.call(this, value, ...key)
}

/** The rows that a step has written, and their bytes as text: counted after it, because that takes time of its own. */
export function writtenRows() {
  const bytes = written.reduce(
    (total, row) => total + (typeof row === 'string' ? row : JSON.stringify(row)).length,
    0,
  )
  return { rows: written.length, bytes }
}

let lastWrite = 0

/** Resolves when nothing was written for a while. It rests meanwhile, because its page is measured. @param {number} [ms] */
export async function untilStored(ms = 1500) {
  lastWrite = performance.now()
  for (let left = ms; left > 0; left = lastWrite + ms - performance.now()) await wait(left)
}

/** Runs a step, whose rows are counted. @param {() => unknown} run */
export function counted(run) {
  written.length = 0
  return run()
}

/** Resolves when a condition holds. @param {() => unknown} test */
export async function until(test) {
  while (!(await test())) await wait(2)
}

export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
