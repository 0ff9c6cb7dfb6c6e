/** The number of renders since `reset`. */
export const counts = {
  rows: 0,
  views: 0,
  reset() {
    this.rows = 0
    this.views = 0
  },
}

/** Counts a row's render. The row reads its issue through it, so that it runs with each render in every framework. */
export function countedRow(issue) {
  counts.rows++
  return issue
}

/** Counts a view's render, in the same way. */
export function countedView(data) {
  counts.views++
  return data
}
