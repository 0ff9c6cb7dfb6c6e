/**
 * Does something and waits until the page shows it.
 *
 * @param {Element} container - where it is shown
 * @param {() => void | Promise<void>} act
 * @param {() => boolean} isShown - a look at a node or two
 * @returns {Promise<{ committed: number, painted: number }>} milliseconds from the action to the DOM, and to the frame
 */
export async function measure(container, act, isShown) {
  const { promise: shown, resolve } = Promise.withResolvers()
  // Runs in the microtask after the DOM was changed, whenever a library or framework sees fit to do it.
  const observer = new MutationObserver(() => {
    if (isShown()) resolve(performance.now())
  })
  observer.observe(container, { childList: true, characterData: true, subtree: true })
  const start = performance.now()
  const acted = act()
  const committed = (await within(5000, shown)) - start
  observer.disconnect()
  await acted
  await nextFrame()
  return { committed, painted: performance.now() - start }
}

/** Waits for whatever a write that shows nothing sets off. */
export async function settle() {
  await new Promise((resolve) => setTimeout(resolve, 5))
  await nextFrame()
}

/** The end of the next frame: a task after its animation callbacks, layout and paint. */
function nextFrame() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', () => resolve(undefined), { once: true })
      port1.start()
      port2.postMessage(undefined)
    })
  })
}

function within(limitMs, promise) {
  const late = new Promise((_, reject) => {
    setTimeout(() => reject(new Error('The page did not show what was done to it')), limitMs)
  })
  return Promise.race([promise, late])
}
