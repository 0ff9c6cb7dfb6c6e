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

const written = { rows: 0, bytes: 0 }

const { put } = IDBObjectStore.prototype
IDBObjectStore.prototype.put = function countedPut(value, ...key) {
  written.rows++
  written.bytes += JSON.stringify(value).length
  lastWrite = performance.now()
  return put.call(this, value, ...key)
}

let lastWrite = 0

/** Resolves when nothing was written for a while. @param {number} [ms] */
export async function untilStored(ms = 1500) {
  lastWrite = performance.now()
  while (performance.now() - lastWrite < ms) await new Promise((resolve) => setTimeout(resolve, 50))
}

/** Runs a step, and counts what it writes. @param {() => unknown} run */
export async function counted(run) {
  Object.assign(written, { rows: 0, bytes: 0 })
  const figures = await run()
  return { ...written, ...figures }
}

/** Resolves when a condition holds. @param {() => unknown} test */
export async function until(test) {
  while (!(await test())) await wait(2)
}

export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
