import { Entity, textOfKey } from './entity.js'
import type { Schema } from './schema.js'

/** The options of `EntityMixin`. */
export interface EntityMixinOptions<Instance> {
  /**
   * The field of the primary key, or a function of the record, its parent, its key there and the arguments of the call, as
   * `pk()` of an Entity receives them.
   *
   * @default the `pk()` of the class, else `id`
   */
  readonly pk?: keyof Instance | MixinPk<Instance> | undefined
  /** The name of the entity in the cache. @default the `key` of the class, else its name */
  readonly key?: string | undefined
  /** The nested records and serialized fields. @default the `schema` of the class */
  readonly schema?: { readonly [Field in keyof Instance]?: Schema } | undefined
}

/** Returns the primary key of a record. */
export type MixinPk<Instance> = (
  this: Instance,
  value: Instance,
  // The server decides the parent of the record; the user declares its type.
  // eslint-disable-next-line typescript/no-explicit-any
  parent?: any,
  key?: string | number,
  args?: readonly unknown[],
) => string | number | undefined

// A mixin takes any class; TypeScript demands this very form.
// eslint-disable-next-line typescript/no-explicit-any
type Constructor<Instance = object> = new (...args: any[]) => Instance

/** Your own class as an Entity class. Entity members that it declares itself still apply. */
export type MixedEntity<Base extends Constructor> = Omit<Base, 'prototype'> &
  Pick<typeof Entity, Exclude<EntityStatics, keyof Base | 'validate'>> &
  ('validate' extends keyof Base ? unknown : Pick<Judging, 'validate'>) &
  (new () => InstanceType<Base> & Pick<Entity, 'pk'>)

/** The compiler lets `super.validate` reach a member of an interface, but no copied field of a class. */
interface Judging {
  // As that of Entity.
  // eslint-disable-next-line typescript/no-explicit-any
  validate: any
}

type EntityStatics = Exclude<keyof typeof Entity, 'prototype'>

/**
 * Creates an Entity class from your own class, whose constructor must work without arguments. Static members of the class (`key`,
 * `schema`, `process`, `validate`, `defaults`, `indexes` and so on) and its `pk()` still apply.
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
  const { pk, key, schema } = options
  class Mixed extends Base {}
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(Entity))) {
    // Skips members that every function has, such as `name`.
    if (!(name in Base)) Object.defineProperty(Mixed, name, { ...member, configurable: true })
  }
  const own = { name: Base.name, ...(key !== undefined && { key }), ...(schema !== undefined && { schema }) }
  for (const [name, value] of Object.entries(own)) {
    Object.defineProperty(Mixed, name, { value, writable: true, configurable: true })
  }
  if (pk !== undefined || !('pk' in Base.prototype)) {
    const value = pk === undefined || pk === 'id' ? Entity.prototype.pk : toPkMethod(pk)
    Object.defineProperty(Mixed.prototype, 'pk', { value, writable: true, configurable: true })
  }
  // Every static member of Entity is on it, and `pk` too.
  return Mixed as unknown as MixedEntity<Base>
}

function toPkMethod<Instance>(
  pk: keyof Instance | MixinPk<Instance>,
): (this: Instance, ...rest: never[]) => unknown {
  return typeof pk === 'function'
    ? function (...rest) {
        return pk.call(this, this, ...rest)
      }
    : function () {
        return textOfKey(this[pk])
      }
}
