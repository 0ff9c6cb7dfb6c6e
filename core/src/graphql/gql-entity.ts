import { Entity } from '../schema/entity.js'

/**
 * The base class of records with the primary key `id`. Select `id` in each document that selects such a record. For another
 * primary key, or a numeric `id`, extend `Entity` instead.
 *
 * @see specification 1, rule 6
 * @example
 * class Article extends GQLEntity {
 *   title = ''
 *   author: User | null = null
 *   static override key = 'Article'
 *   static override schema = { author: User }
 * }
 */
export class GQLEntity extends Entity {
  /** The primary key, as text. */
  id = ''
  /**
   * The name of the type on the server; `undefined` if no document selects it. It chooses the class of a record in
   * `new schema.Union({ Article, User }, '__typename')`.
   */
  declare readonly __typename: string | undefined

  override pk(_parent?: unknown, _key?: string | number, _args?: readonly unknown[]): string {
    return this.id
  }
}
