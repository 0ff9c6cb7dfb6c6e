/** How often components rendered since `reset`. */
export const counts = {
  rows: 0,
  views: 0,
  reset() {
    this.rows = 0
    this.views = 0
  },
}

/** Counts a row's render. A row asks for its record through it, so that in every framework it runs as often as the row. */
export function countedRow(issue) {
  counts.rows++
  return issue
}

/** Counts a view's render, in the same way. */
export function countedView(data) {
  counts.views++
  return data
}
