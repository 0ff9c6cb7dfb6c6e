import type { Library } from './screen/library.js'
import * as selfsame from './selfsame/index.js'
import * as tanstack from './tanstack/index.js'

export const libraries: readonly Library[] = [
  { name: 'TanStack Query', ...tanstack },
  { name: 'Selfsame', ...selfsame },
]
