import { afterEach, beforeEach, vi } from 'vitest'

/** What the server answers to the samples about reading. */
export const todoAnswers = {
  'GET /todo/5': { id: 5, title: 'Write' },
  'GET /todo?userId=1': [
    { id: 5, title: 'Write' },
    { id: 6, title: 'Read' },
  ],
}

/** Gives each test of a file a page with an empty element. */
export function usePage(): void {
  beforeEach(() => {
    document.body.innerHTML = '<div id="app"></div>'
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  })
  afterEach(() => vi.unstubAllGlobals())
}
