/** Arrow keys, Home and End move the focus in the lists of articles, each of which is one tab stop. */
export function moveInLists(): void {
  document.addEventListener('keydown', (event) => {
    const row = event.target instanceof Element ? event.target.closest('.row') : null
    const rows = [...(row?.closest('.article-list')?.querySelectorAll<HTMLElement>('.row') ?? [])]
    const at = rows.findIndex((each) => each === row)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key]
    if (at === -1 || next === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    rows[next]?.focus()
  })
}
