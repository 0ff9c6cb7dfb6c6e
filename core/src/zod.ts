/**
 * Entity classes of objects of zod 4. An application that does not import this ships none of it.
 *
 * @packageDocumentation
 */
import { zodAdapter } from './standard-schema/zod.js'
import { makeEntityFrom } from './standard-schema/entity-from.js'
import type { MakeEntity } from './standard-schema/types.js'

export type {
  Entities,
  EntityFrom,
  EntityFromOptions,
  FieldsFrom,
  MakeEntity,
  Placed,
} from './standard-schema/types.js'

/**
 * Creates an Entity class from an object of zod. The fields have the output types of the schema; a field that it converts (a date of
 * text, a trimmed text) is converted when it is read, and a field with a default has that default. `validate` of the class is the
 * schema: a record that it refuses is not usable. The class of a nested record checks that record.
 *
 * @returns a class to use as it is, or to extend by getters and methods
 * @throws {SelfsameError} `definition-invalid` for a schema that is not an object of zod, and for a path of `entities` that is not in it
 * @see specification 2.3, Standard Schema
 * @example
 * const articleSchema = z.object({ id: z.number(), title: z.string(), author: userSchema })
 * class Article extends entityFrom(articleSchema, { key: 'Article', entities: { author: User } }) {}
 */
export const entityFrom: MakeEntity = makeEntityFrom(zodAdapter)
