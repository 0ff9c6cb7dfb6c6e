import { Entity } from '../schema/entity.js'

/**
 * The base class of records that a GraphQL server identifies by `id`. Select `id` wherever one is selected; a class
 * with another primary key, or with a numeric `id`, extends `Entity` instead and is read by the same endpoints.
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
  /** The primary key. GraphQL sends an `ID` as text. */
  id = ''
  /**
   * The name of the record's type on the server; `undefined` where no document has selected it. Among records of
   * several types it chooses the class: `new schema.Union({ Article, User }, '__typename')`.
   */
  declare readonly __typename: string | undefined

  override pk(_parent?: unknown, _key?: string | number, _args?: readonly unknown[]): string {
    return this.id
  }
}
