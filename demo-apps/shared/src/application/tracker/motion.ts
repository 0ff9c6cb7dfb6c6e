/**
 * Changes the page, and lets each issue glide to its new place. The focus stays on the issue that has it. Where the user
 * wants less motion, the change is shown without.
 */
export function withMotion(update: () => void): void {
  const focused = document.activeElement?.closest<HTMLElement>('[data-issue]')?.dataset['issue']
  const change = async () => {
    update()
    await rendered()
    // The page stays where the user has scrolled it to.
    if (focused !== undefined) focusIssue(focused, { preventScroll: true })
  }
  if (!canMove()) return void change()
  nameIssues()
  move(() => change().then(nameIssues), unnameIssues)
}

/**
 * Fades from one screen to the next when the user follows a link. Where the user wants less motion, links are followed as
 * ever. Back and Forward show the screen at once, with its scroll position.
 */
export function moveBetweenScreens(): void {
  let followed: HTMLAnchorElement | undefined
  document.addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (link === null || link === followed || !isToOtherScreen(event, link) || !canMove()) return
      // The browser takes its picture of this screen first; then the router of the application gets the click.
      event.preventDefault()
      event.stopPropagation()
      move(() => {
        followed = link
        link.click()
        followed = undefined
        return rendered()
      })
    },
    { capture: true },
  )
}

function isToOtherScreen(event: MouseEvent, link: HTMLAnchorElement): boolean {
  const { button, ctrlKey, metaKey, shiftKey, altKey } = event
  const isPlain = button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey
  const isOurs = link.origin === location.origin && link.target === '' && link.rel !== 'external'
  const isReady = document.querySelector('#app[data-ready]') !== null
  return isPlain && isOurs && isReady && !link.hasAttribute('download') && link.pathname !== location.pathname
}

const canMove = () =>
  document.startViewTransition !== undefined && !matchMedia('(prefers-reduced-motion: reduce)').matches

/** How long a change waits for the browser's picture, in milliseconds. */
const patience = 100

/** The frameworks render in a task of their own. */
const rendered = () => new Promise<void>((resolve) => setTimeout(resolve))

/**
 * Changes the page in a transition. Input of the user ends it: what is waiting is changed at once, and what was clicked gets
 * its click.
 *
 * @param ended - called when the transition is over, unless another one has taken its place
 */
function move(change: () => Promise<void>, ended?: () => void): void {
  const over = new AbortController()
  let changed: Promise<void> | undefined
  // The browser calls it after it has taken its picture.
  const transition = document.startViewTransition(() => (changed ??= change()))
  const hurry = (event?: Event) => {
    over.abort()
    changed ??= change()
    transition.skipTransition()
    if (event instanceof PointerEvent) passClickOn(event)
  }
  // Where the browser is busy, the change does not wait for a picture.
  setTimeout(() => changed ?? hurry(), patience)
  for (const type of ['pointerdown', 'keydown', 'wheel']) {
    addEventListener(type, hurry, { capture: true, passive: true, signal: over.signal })
  }
  const steps = [transition.ready, transition.updateCallbackDone, transition.finished]
  latest = transition
  void Promise.allSettled(steps).then(() => {
    over.abort()
    if (latest === transition) ended?.()
  })
}

/** A page has one transition at a time. */
let latest: ViewTransition | undefined

/** While the page is changed, the browser gives each click to the root of the document. */
function passClickOn({ target, pointerId }: PointerEvent): void {
  if (target !== document.documentElement) return
  addEventListener(
    'click',
    (event) => {
      if (event.target !== document.documentElement || event.pointerId !== pointerId) return
      const meant = document.elementFromPoint(event.clientX, event.clientY)
      if (meant instanceof HTMLElement) meant.click()
    },
    { capture: true, once: true },
  )
}

/** Moves the focus to the card or row of an issue. */
export function focusIssue(id: string, options?: FocusOptions): void {
  document.querySelector<HTMLElement>(`[data-issue="${id}"] a`)?.focus(options)
}

/** Only issues in view glide: each named element is a picture to take. */
function nameIssues(): void {
  for (const element of document.querySelectorAll<HTMLElement>('main [data-issue]')) {
    const { top, bottom } = element.getBoundingClientRect()
    const isInView = bottom > 0 && top < innerHeight
    element.style.viewTransitionName = isInView ? `issue-${element.dataset['issue']}` : ''
  }
}

function unnameIssues(): void {
  for (const element of document.querySelectorAll<HTMLElement>('main [data-issue]')) {
    element.style.viewTransitionName = ''
  }
}
