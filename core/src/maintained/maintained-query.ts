import { AllSchema } from '../schema/all.js'
import type { DenormalizeDelegate, EntityClass, ListHome, QueryDelegate, Schema } from '../schema/schema.js'
import { isEntityClass } from '../schema/schema.js'
import { contractOf } from '../schema/contract-of.js'
import type { StoreDenormalizeDelegate } from '../schema/delegates.js'
import type { Denormalize } from '../schema/denormalized.js'
import type { FieldsOf } from '../schema/entity.js'
import { withHome } from '../schema/home.js'
import { Query } from '../schema/query.js'
import { getOrMake } from '../util/get-or-make.js'
import { MaintainedViews, describe, nameOfSource, withoutWindow } from './maintained-views.js'
import type { Steps } from './maintained-views.js'
import { compute, noSteps, textOfSteps, toOrder, toValueOf } from './steps.js'
import type { Direction, ListWindow, Plan, TotalKind } from './steps.js'

/** The arguments of a query: one object with what its functions take; without any, those of its source. */
export type MaintainedArgs<A> = unknown extends A ? readonly [] : readonly [args: A]

/** The member of a list. */
export type ListMember<List> = NonNullable<List> extends readonly (infer Member)[] ? Member : never

/** The names of the fields of a member, without its methods. */
export type FieldName<Member> = keyof FieldsOf<Member> & string

/** A group of the members with one key. */
export interface Group<Key, Member> {
  readonly key: Key
  /** In the order of the list. */
  readonly members: readonly Member[]
}

/** A value computed from the members with one key. */
export interface GroupTotal<Key, Value> {
  readonly key: Key
  readonly value: Value
}

/** A member, and for each `with` the records that name it. */
export type RowOf<Member, Related> = Member extends readonly [unknown, ...(readonly (readonly unknown[])[])]
  ? readonly [...Member, readonly Related[]]
  : readonly [Member, readonly Related[]]

type Fn<Member, Value, A> = (member: Member, args: A) => Value

/**
 * A query that is kept up to date record by record. `from` creates it; each method returns a new query.
 *
 * @see specification 2.1 (Maintained queries)
 */
export class MaintainedQuery<S extends Schema, A, Value> extends Query<S, MaintainedArgs<A>, Value> {
  /** @internal */
  readonly plan: Plan
  readonly #bound = new Map<string, this>()

  /** @internal */
  constructor(schema: S, plan: Plan) {
    // The plan computes a value of this type.
    super(schema, ((members: unknown, ...[args]: readonly [unknown?]) =>
      compute(plan, members as readonly unknown[], args)) as never)
    this.plan = plan
  }

  /** How it was made, without the functions: `from(Issue).where(state, …).count()`. The devtools show it. */
  get name(): string {
    const { schema } = this as { readonly schema: Schema }
    const source = schema instanceof MaintainedQuery ? schema.name : `from(${nameOfSource(schema)})`
    return source + textOfSteps(this.plan)
  }

  /** The query that is its source. @internal */
  get source(): Steps | undefined {
    const { schema } = this as { readonly schema: unknown }
    return schema instanceof MaintainedQuery && (schema.plan as Plan).end === undefined
      ? (schema as unknown as Steps)
      : undefined
  }

  /** Says how the members are found: by which index, or among which records. `explain` of the devtools shows it. */
  describe(...[args]: MaintainedArgs<A>): string {
    return describe(this as unknown as Steps, args)
  }

  override denormalize(input: unknown, delegate: DenormalizeDelegate): Value | undefined {
    const views = MaintainedViews.of(delegate)
    if (views === undefined) return super.denormalize(input, delegate)
    const of = delegate as StoreDenormalizeDelegate & { fillAll(): void }
    const view = views.read(this as unknown as Steps, input, delegate.args)
    of.fillAll()
    views.update(view)
    if (view.error !== undefined) throw view.error as Error
    if (!view.isKnown) return undefined
    of.noteProcessed?.()
    // The view computes what the plan says.
    return view.value as Value
  }

  /** The argument `window` names places in the list, and not the list. */
  override queryKey(args: readonly unknown[], delegate: QueryDelegate): unknown {
    return super.queryKey((this.plan as Plan).end?.isWindow === true ? withoutWindow(args) : args, delegate)
  }

  override over(schema: Schema): this {
    return this.copy(schema as S, this.plan)
  }

  override withHome(home: ListHome, depth: number): this {
    const bound = withHome(this.schema, home, depth) as Schema
    if (bound === this.schema) return this
    return getOrMake(this.#bound, `${home.id} ${home.place}`, () => this.over(bound))
  }

  /** @internal */
  protected copy(schema: S, plan: Plan): this {
    const Class = this.constructor as new (schema: S, plan: Plan) => this
    return new Class(schema, plan)
  }
}

type Present<Member, Name> = NonNullable<Member[Name & keyof Member]>

/** Stands for the key of a list that is not grouped. */
export interface Ungrouped {
  readonly ungrouped: never
}

/** What a total is: one value, or one per group. */
export type TotalOf<Key, Value> = [Key] extends [Ungrouped] ? Value : readonly GroupTotal<Key, Value>[]

/** A maintained query of which totals can be taken: of a list, or of each group of one. */
export abstract class MaintainedTotals<S extends Schema, A, Value, Key, Member> extends MaintainedQuery<
  S,
  A,
  Value
> {
  /** The number of members. */
  count(): MaintainedQuery<S, A, TotalOf<Key, number>> {
    return this.#total('count')
  }

  /** The sum of a field or of what a function returns. Missing values are left out. It is rounded once, at the end. */
  sum<B = unknown>(
    by: FieldName<Member> | Fn<Member, number | null | undefined, B>,
  ): MaintainedQuery<S, A & B, TotalOf<Key, number>> {
    return this.#total('sum', by)
  }

  /** The smallest value of a field or of what a function returns; `undefined` if there is none. */
  min<const Name extends FieldName<Member>>(
    by: Name,
  ): MaintainedQuery<S, A, TotalOf<Key, Present<Member, Name> | undefined>>
  min<Found, B = unknown>(
    by: Fn<Member, Found, B>,
  ): MaintainedQuery<S, A & B, TotalOf<Key, NonNullable<Found> | undefined>>
  min(by: unknown): unknown {
    return this.#total('min', by)
  }

  /** The largest value of a field or of what a function returns; `undefined` if there is none. */
  max<const Name extends FieldName<Member>>(
    by: Name,
  ): MaintainedQuery<S, A, TotalOf<Key, Present<Member, Name> | undefined>>
  max<Found, B = unknown>(
    by: Fn<Member, Found, B>,
  ): MaintainedQuery<S, A & B, TotalOf<Key, NonNullable<Found> | undefined>>
  max(by: unknown): unknown {
    return this.#total('max', by)
  }

  /** The first member. A list without members has none; a group always has one. */
  first(): MaintainedQuery<S, A, [Key] extends [Ungrouped] ? Member | undefined : TotalOf<Key, Member>> {
    return this.#total('first')
  }

  #total<B, Total>(kind: TotalKind, by: unknown = ''): MaintainedQuery<S, B, Total> {
    const { plan } = this
    const end = { groupKey: plan.end?.groupKey, total: { kind, valueOf: toValueOf(by) } }
    return new MaintainedQuery(this.schema, { ...plan, end })
  }
}

/** A maintained query whose value is a list. */
export class MaintainedList<S extends Schema, A, Member> extends MaintainedTotals<
  S,
  A,
  readonly Member[],
  Ungrouped,
  Member
> {
  /**
   * Keeps the members that pass a test. Selfsame tracks what the test reads of a member: while that stays the same, it is not called
   * again. It receives a stand-in for the record: compare records by their primary keys.
   *
   * @param test - pure. It receives the member, and the arguments of the query
   * @throws {SelfsameError} on reading `value-unusable`, which names the record, if it throws
   */
  where<B = unknown>(test: Fn<Member, boolean, B>): MaintainedList<S, A & B, Member>
  /** Keeps the members whose fields have these values. A nested record equals its primary key. */
  where(fields: Partial<FieldsOf<Member>>): MaintainedList<S, A, Member>
  /** Keeps the members whose fields equal the arguments of these names. An argument that is left out is not compared. */
  where<const Names extends readonly [FieldName<Member>, ...FieldName<Member>[]]>(
    ...names: Names
  ): MaintainedList<
    S,
    A & { readonly [Name in Names[number]]?: FieldsOf<Member>[Name & keyof FieldsOf<Member>] },
    Member
  >
  where(...given: readonly unknown[]): unknown {
    const [first] = given
    if (typeof first === 'function')
      return this.#filtered(({ tests }) => ({ tests: [...tests, first as Plan['tests'][number]] }))
    const added =
      typeof first === 'string'
        ? (given as readonly string[]).map((field) => ({
            field,
            valueIn: (args: unknown) => (args as Record<string, unknown> | undefined)?.[field],
          }))
        : Object.entries(first as object).map(([field, value]) => ({
            field,
            valueIn: () => value as unknown,
          }))
    return this.#filtered(({ equalities }) => ({ equalities: [...equalities, ...added] }))
  }

  /** Keeps the members whose field has a value: for a nested record, those whose record is known. */
  join<const Name extends FieldName<Member>>(
    field: Name,
  ): MaintainedList<S, A, Member & { readonly [Field in Name]: NonNullable<Member[Field & keyof Member]> }> {
    const test = (member: Record<string, unknown>) => member[field] !== undefined && member[field] !== null
    return this.#filtered(({ tests }) => ({ tests: [...tests, test as never] })) as never
  }

  /**
   * Orders the members. Equal ones are ordered by the next `orderBy`, and finally as in the source.
   *
   * @param by - a field, or a function that compares two members, as for `Array.prototype.sort`; pure
   * @param direction - missing values are last in both @default 'ascending'
   */
  orderBy<B = unknown>(
    by: FieldName<Member> | ((a: Member, b: Member, args: B) => number),
    direction?: Direction,
  ): MaintainedList<S, A & B, Member> {
    return this.#filtered(({ orders }) => ({ orders: [...orders, toOrder(by, direction)] }))
  }

  /** Keeps the first members. @param limit - how many, or a function of the arguments */
  limit<B = unknown>(limit: number | ((args: B) => number)): MaintainedList<S, A & B, Member> {
    return this.plan.limit === undefined ? this.#next({ limit }) : this.#after().#next({ limit })
  }

  /** Skips the first members. @param offset - how many, or a function of the arguments */
  offset<B = unknown>(offset: number | ((args: B) => number)): MaintainedList<S, A & B, Member> {
    const isCut = this.plan.limit !== undefined || this.plan.offset !== undefined
    return isCut ? this.#after().#next({ offset }) : this.#next({ offset })
  }

  /**
   * Returns rows: each member with the records of another class that name it, in the order of their arrival.
   *
   * @param field - the field of those records that holds the primary key of the member
   */
  with<E extends { pk(...args: never): unknown }>(
    entity: EntityClass<E>,
    field: FieldName<E>,
  ): MaintainedList<S, A, RowOf<Member, E>> {
    return this.#after().#next({ relation: { entity, field } }) as never
  }

  /**
   * Groups the members. The groups are in the order of their first members.
   *
   * @param key - a field, or a function: members with the same text, number or truth value are a group
   */
  groupBy<const Name extends FieldName<Member>>(
    key: Name,
  ): MaintainedGroups<S, A, Member[Name & keyof Member], Member>
  groupBy<Key, B = unknown>(key: Fn<Member, Key, B>): MaintainedGroups<S, A & B, Key, Member>
  groupBy(key: unknown): unknown {
    const end = { groupKey: toValueOf(key), total: undefined }
    return new MaintainedGroups(this.schema, { ...this.plan, end })
  }

  /**
   * A part of the list, for one that shows a few rows of many: the argument `window` names the places. Its readers are notified of
   * what the part shows, and of the number of all members; of nothing else.
   *
   * @example
   * const { items, total } = useQuery(issues.window(), { window: [first, first + 30] })
   */
  window(): MaintainedQuery<
    S,
    A & { readonly window: readonly [from: number, to: number] },
    ListWindow<Member>
  > {
    const end = { groupKey: undefined, total: undefined, isWindow: true }
    return new MaintainedQuery(this.schema, { ...this.plan, end })
  }

  /** What filters and orders comes before what cuts the list: after a cut it is of the list that was cut. */
  #filtered<B>(add: (plan: Plan) => Partial<Plan>): MaintainedList<S, B, Member> {
    const { limit, offset } = this.plan
    const base = limit === undefined && offset === undefined ? this : this.#after()
    return base.#next(add(base.plan))
  }

  #next<B>(steps: Partial<Plan>): MaintainedList<S, B, Member> {
    return new MaintainedList(this.schema, { ...this.plan, ...steps, listKey: {} })
  }

  /** A list whose source is this one. */
  #after(): MaintainedList<S, A, Member> {
    // It takes the arguments of this one.
    return new MaintainedList(this as unknown as S, { ...noSteps, listKey: {} })
  }
}

/** A maintained query whose value is a list of groups. Its totals are of each group. */
export class MaintainedGroups<S extends Schema, A, Key, Member> extends MaintainedTotals<
  S,
  A,
  readonly Group<Key, Member>[],
  Key,
  Member
> {}

/** The members that `from` starts with. */
export type MemberOfSource<S> = S extends (abstract new (
  ...args: never
) => infer E extends { pk(...args: never): unknown })
  ? E
  : ListMember<Denormalize<S>>

/** The arguments that `from` starts with: those of another query. */
export type ArgsOfSource<S> = S extends { key(...args: infer Args): string; readonly schema: Schema }
  ? Args extends readonly [infer Only extends object]
    ? Only
    : unknown
  : unknown

/** The schema of a source: all records of a class. */
export type SchemaOfSource<S> = S extends abstract new (...args: never) => { pk(...args: never): unknown }
  ? AllSchema<S & Schema>
  : S & Schema

/**
 * Starts a maintained query: when one record of many changes, it checks only that record, and the list that it shows is
 * copied once. Read it as a `Query`.
 *
 * @param source - an Entity class, for all of its stored records; `schema.All`, a Collection, or another query whose value is a
 *   list
 * @example
 * const openIssues = from(Issue)
 *   .where({ state: 'open' })
 *   .where((issue, { text }: { text: string }) => issue.title.includes(text))
 *   .orderBy('createdAt', 'descending')
 *   .limit(50)
 * useQuery(openIssues, { text: 'crash' })
 */
export function from<const S extends Schema>(
  source: S,
): MaintainedList<SchemaOfSource<S>, ArgsOfSource<S>, MemberOfSource<S>> {
  const schema = isEntityClass(source) ? new AllSchema(source) : contractOf(source)
  return new MaintainedList(schema as SchemaOfSource<S>, { ...noSteps, listKey: {} })
}
