import { checkAllOf, checkDescription } from './check-description.js'
import type { Description } from './description.js'
import { fromSwagger, isSwagger } from './swagger.js'

/** Checks what was parsed, and brings it into the form of OpenAPI 3. @throws {Error} for a part that cannot be read */
export function toDescription(parsed: object): Description {
  checkDescription(parsed)
  const description = isSwagger(parsed) ? fromSwagger(parsed) : (parsed as Description)
  checkAllOf(description)
  return description
}
