/**
 * Does something and waits until the page shows it.
 *
 * @param {Element} container - the element that shows the result
 * @param {() => void | Promise<void>} act
 * @param {() => boolean} isShown - checks one or two nodes
 * @returns {Promise<number>} milliseconds from the action to the DOM
 */
export async function measure(container, act, isShown) {
  const { promise: shown, resolve, reject } = Promise.withResolvers()
  // Runs in the microtask after the DOM change, whenever the library or framework makes it.
  const observer = new MutationObserver(() => {
    if (isShown()) resolve(performance.now())
  })
  observer.observe(container, { childList: true, characterData: true, subtree: true })
  const limit = setTimeout(() => reject(new Error('The page did not show what was done to it')), 5000)
  const start = performance.now()
  const acted = act()
  const end = await shown
  clearTimeout(limit)
  observer.disconnect()
  await acted
  await idle()
  return end - start
}

/** Waits for the effects of a write that changes nothing on screen. */
export async function settle() {
  await new Promise((resolve) => setTimeout(resolve, 5))
  await new Promise((resolve) => requestAnimationFrame(() => resolve(undefined)))
  await idle()
}

/** Waits for due tasks, such as effects that run after the render. */
async function idle() {
  for (let turn = 0; turn < 2; turn++) await scheduler.postTask(() => {}, { priority: 'background' })
}
