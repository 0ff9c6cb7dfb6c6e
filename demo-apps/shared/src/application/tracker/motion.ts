/** A document that can animate a change; older browsers cannot. */
interface Animated {
  readonly startViewTransition?: (update: () => Promise<void>) => {
    readonly ready: Promise<unknown>
    readonly updateCallbackDone: Promise<unknown>
    readonly finished: Promise<unknown>
  }
}

/**
 * Changes the page, and lets each issue glide to its new place. The focus stays on the issue that has it. Where the user
 * wants less motion, the change is shown without.
 */
export function withMotion(update: () => void): void {
  const focused = document.activeElement?.closest<HTMLElement>('[data-issue]')?.dataset['issue']
  const change = async () => {
    update()
    // The frameworks render in a task of their own.
    await new Promise((resolve) => setTimeout(resolve))
    if (focused !== undefined) focusIssue(focused)
  }
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const animated = document as unknown as Animated
  if (isCalm || animated.startViewTransition === undefined) return void change()
  nameIssues()
  const transition = animated.startViewTransition(async () => {
    await change()
    nameIssues()
  })
  // Another transition may end this one.
  const ended = Promise.allSettled([transition.ready, transition.updateCallbackDone, transition.finished])
  void ended.then(unnameIssues)
}

/** Moves the focus to the card or row of an issue. */
export function focusIssue(id: string): void {
  document.querySelector<HTMLElement>(`[data-issue="${id}"] a`)?.focus()
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
