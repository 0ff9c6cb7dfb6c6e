import { Entity } from './entity.js'
import type { EntityFields } from './schema.js'

/** What `EntityMixin` may be told. */
export interface EntityMixinOptions<Instance> {
  /** The name of the primary key's field, or a function of the record. @default 'id' */
  readonly pk?: keyof Instance | ((this: Instance) => string | number | undefined) | undefined
  /** The name under which records are stored. @default the name of the class */
  readonly key?: string | undefined
  /** The nested records and serialized fields. */
  readonly schema?: EntityFields | undefined
}

// A mixin takes any class; TypeScript demands this very form.
// eslint-disable-next-line typescript/no-explicit-any
type Constructor<Instance = object> = new (...args: any[]) => Instance

/** A class of one's own that is a class of records as well. */
export type MixedEntity<Base extends Constructor> = Omit<Base, 'prototype' | EntityStatics> &
  Pick<typeof Entity, EntityStatics> &
  (new () => InstanceType<Base> & Pick<Entity, 'pk'>)

type EntityStatics = Exclude<keyof typeof Entity, 'prototype'>

/**
 * Makes a class of records of a class that one already has. It must be constructible without arguments.
 *
 * @see specification 2.1
 * @example
 * class TodoData { id = 0; title = '' }
 * class Todo extends EntityMixin(TodoData, { key: 'Todo' }) {}
 */
export function EntityMixin<Base extends Constructor>(
  Base: Base,
  options: EntityMixinOptions<InstanceType<Base>> = {},
): MixedEntity<Base> {
  const { pk = 'id', key, schema } = options
  class Mixed extends Base {
    pk(): unknown {
      const record = this as unknown as InstanceType<Base>
      return typeof pk === 'function' ? pk.call(record) : record[pk as keyof InstanceType<Base>]
    }
  }
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(Entity))) {
    if (name === 'prototype' || name === 'name' || name === 'length') continue
    Object.defineProperty(Mixed, name, { ...member, configurable: true })
  }
  const own = { ...(key === undefined ? {} : { key }), ...(schema === undefined ? {} : { schema }) }
  for (const [name, value] of Object.entries(own)) {
    Object.defineProperty(Mixed, name, { value, writable: true, configurable: true })
  }
  // Every static member of Entity was put on it, and `pk` is its own.
  return Mixed as unknown as MixedEntity<Base>
}
