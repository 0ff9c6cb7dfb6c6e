import type { Library } from './screen/library.js'
import * as selfsame from './selfsame/index.js'
import * as tanstack from './tanstack/index.js'

export const libraries: readonly Library[] = [
  { id: 'tanstack', name: 'TanStack Query', ...tanstack },
  { id: 'selfsame', name: 'Selfsame', ...selfsame },
]
