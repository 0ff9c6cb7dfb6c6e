import { describe, expectTypeOf, test } from 'vitest'
import type { ListPath, PathParams, PathValue, WildcardValue } from './path-types.js'
import type { RestArgs } from './rest-types.js'

type Params<Required extends string, Optional extends string = never> = {
  readonly [Name in Required]: PathValue
} & { readonly [Name in Optional]?: PathValue | undefined } extends infer All
  ? { [Name in keyof All]: All[Name] }
  : never

/** Appends 40 params to a path, more than any real path has. */
type Long<Path extends string, Counted extends readonly 0[] = []> = Counted['length'] extends 40
  ? Path
  : Long<`${Path}/segment/:param${Counted['length']}`, [...Counted, 0]>

describe('PathParams', () => {
  test('has the names of a literal path', () => {
    expectTypeOf<PathParams<'/:id'>>().toEqualTypeOf<{ readonly id: PathValue }>()
    expectTypeOf<PathParams<'/:group/:id'>>().toEqualTypeOf<{
      readonly group: PathValue
      readonly id: PathValue
    }>()
    expectTypeOf<PathParams<'todo/:id/done'>>().toEqualTypeOf<Params<'id'>>()
    expectTypeOf<PathParams<'/:$a_1/:B2'>>().toEqualTypeOf<Params<'$a_1' | 'B2'>>()
    expectTypeOf<PathParams<'/todo'>>().toEqualTypeOf<{}>()
    expectTypeOf<PathParams<''>>().toEqualTypeOf<{}>()
  })

  test('has several names of one segment', () => {
    expectTypeOf<PathParams<'/:name.:ext'>>().toEqualTypeOf<Params<'name' | 'ext'>>()
    expectTypeOf<PathParams<'/:from-:to,:step'>>().toEqualTypeOf<Params<'from' | 'to' | 'step'>>()
  })

  test('has optional names for groups and marked params', () => {
    expectTypeOf<PathParams<'/list{/:page}'>>().toEqualTypeOf<{ readonly page?: PathValue | undefined }>()
    expectTypeOf<PathParams<'/list/:page?'>>().toEqualTypeOf<Params<never, 'page'>>()
    expectTypeOf<PathParams<'/:group{/:page}'>>().toEqualTypeOf<Params<'group', 'page'>>()
    expectTypeOf<PathParams<'/:group/:page?/:id'>>().toEqualTypeOf<Params<'group' | 'id', 'page'>>()
    expectTypeOf<PathParams<'/log{/:year/:month}'>>().toEqualTypeOf<Params<never, 'year' | 'month'>>()
    expectTypeOf<PathParams<'/{a/:b}/{c/:d}/:e'>>().toEqualTypeOf<Params<'e', 'b' | 'd'>>()
    expectTypeOf<PathParams<'/log{/:year{/:month}}'>>().toEqualTypeOf<Params<never, 'year' | 'month'>>()
    expectTypeOf<PathParams<'/log{/:year{/:month}/x/:day}/:id'>>().toEqualTypeOf<
      Params<'id', 'year' | 'month' | 'day'>
    >()
  })

  test('takes several segments for a wildcard', () => {
    expectTypeOf<PathParams<'/files/*path'>>().toEqualTypeOf<{ readonly path: WildcardValue }>()
    expectTypeOf<PathParams<'/:user/files{/*path}'>>().toEqualTypeOf<{
      readonly user: PathValue
      readonly path?: WildcardValue | undefined
    }>()
    expectTypeOf<PathParams<'/a*/*'>>().toEqualTypeOf<{}>()
    expectTypeOf<PathParams<'/a\\*path'>>().toEqualTypeOf<{}>()
    expectTypeOf<ListPath<'/files/*path'>>().toEqualTypeOf<'/files'>()
    expectTypeOf<ListPath<'/:user{/files/*path}'>>().toEqualTypeOf<'/:user'>()
  })

  test('has no names for escapes, ports and colons alone', () => {
    expectTypeOf<PathParams<'/v1\\:batch/:id'>>().toEqualTypeOf<Params<'id'>>()
    expectTypeOf<PathParams<'http://localhost:8080/:id'>>().toEqualTypeOf<Params<'id'>>()
    expectTypeOf<PathParams<'/a:/12:30'>>().toEqualTypeOf<{}>()
    expectTypeOf<PathParams<'/todo/:id\\?'>>().toEqualTypeOf<Params<'id'>>()
    expectTypeOf<PathParams<'/a\\{:id\\}'>>().toEqualTypeOf<Params<'id'>>()
  })

  test('reads what is no segment of its own beside segments that are', () => {
    expectTypeOf<PathParams<'/:group/a-:id'>>().toEqualTypeOf<Params<'group' | 'id'>>()
    expectTypeOf<PathParams<'/a-:id/:group'>>().toEqualTypeOf<Params<'group' | 'id'>>()
    expectTypeOf<PathParams<'/:group/:8080/:id'>>().toEqualTypeOf<Params<'group' | 'id'>>()
    expectTypeOf<PathParams<'/:group/:/x'>>().toEqualTypeOf<Params<'group'>>()
    expectTypeOf<PathParams<'/:group/:id/'>>().toEqualTypeOf<Params<'group' | 'id'>>()
    expectTypeOf<PathParams<'http://localhost:8080/:group/:id'>>().toEqualTypeOf<Params<'group' | 'id'>>()
    expectTypeOf<ListPath<'/:group/a-:id'>>().toEqualTypeOf<'/:group/a-'>()
    expectTypeOf<ListPath<'/:group/:id/:8080'>>().toEqualTypeOf<'/:group'>()
    expectTypeOf<ListPath<'/:group/items/:id/x'>>().toEqualTypeOf<'/:group/items'>()
  })

  test('of a path that is no literal takes any (2.2, Types)', () => {
    expectTypeOf<PathParams<string>>().toEqualTypeOf<{
      readonly [param: string]: WildcardValue | undefined
    }>()
  })

  test('of a union is the union (2.2, Types)', () => {
    expectTypeOf<PathParams<'/a/:id' | '/b/:name'>>().toEqualTypeOf<Params<'id'> | Params<'name'>>()
  })

  test('of a long path is still inferred', () => {
    expectTypeOf<keyof PathParams<Long<''>>>().toEqualTypeOf<`param${Range}`>()
  })
})

type Range<Counted extends readonly 0[] = [], Numbers = never> = Counted['length'] extends 40
  ? Numbers & number
  : Range<[...Counted, 0], Numbers | Counted['length']>

type HasRequiredParams<Path extends string> =
  [] extends RestArgs<{ readonly path: Path; readonly method: 'GET' }> ? false : true

describe('RestArgs', () => {
  test('requires params where a call has to name them', () => {
    expectTypeOf<HasRequiredParams<'/:id'>>().toEqualTypeOf<true>()
    expectTypeOf<HasRequiredParams<'/:id{/:page}'>>().toEqualTypeOf<true>()
    expectTypeOf<HasRequiredParams<'/list{/:page}'>>().toEqualTypeOf<false>()
    expectTypeOf<HasRequiredParams<'/list/:page?'>>().toEqualTypeOf<false>()
    expectTypeOf<HasRequiredParams<'/list'>>().toEqualTypeOf<false>()
    expectTypeOf<HasRequiredParams<string>>().toEqualTypeOf<false>()
    expectTypeOf<HasRequiredParams<'/list' | '/:id'>>().toEqualTypeOf<true>()
  })
})

describe('ListPath (E1)', () => {
  test('drops what stands from the last param on', () => {
    expectTypeOf<ListPath<'/:first/:second'>>().toEqualTypeOf<'/:first'>()
    expectTypeOf<ListPath<'/:first'>>().toEqualTypeOf<'/'>()
    expectTypeOf<ListPath<'/api/:group/:id'>>().toEqualTypeOf<'/api/:group'>()
    expectTypeOf<ListPath<'/todo/:id/'>>().toEqualTypeOf<'/todo'>()
    expectTypeOf<ListPath<'/users/:id/make_manager'>>().toEqualTypeOf<'/users'>()
    expectTypeOf<ListPath<'todo/:id'>>().toEqualTypeOf<'todo'>()
    expectTypeOf<ListPath<':id'>>().toEqualTypeOf<'/'>()
    expectTypeOf<ListPath<'/v1/:id\\:archive'>>().toEqualTypeOf<'/v1'>()
    expectTypeOf<ListPath<'/v1\\:batch/:id'>>().toEqualTypeOf<'/v1\\:batch'>()
    expectTypeOf<ListPath<'http://localhost:8080/todo/:id'>>().toEqualTypeOf<'http://localhost:8080/todo'>()
  })

  test('of a path without params is that path', () => {
    expectTypeOf<ListPath<'/todo'>>().toEqualTypeOf<'/todo'>()
    expectTypeOf<ListPath<'/current_user/'>>().toEqualTypeOf<'/current_user/'>()
  })

  test('ends a group that began before', () => {
    expectTypeOf<ListPath<'/todo{/:id}'>>().toEqualTypeOf<'/todo'>()
    expectTypeOf<ListPath<'/todo/:id?'>>().toEqualTypeOf<'/todo'>()
    expectTypeOf<ListPath<'/:group{-:id}'>>().toEqualTypeOf<'/:group'>()
    expectTypeOf<ListPath<'/log{/:year/:month}'>>().toEqualTypeOf<'/log{/:year}'>()
    expectTypeOf<ListPath<'/{a}/:id'>>().toEqualTypeOf<'/{a}'>()
  })

  test('of a path that is no literal is none, and of a union is the union', () => {
    expectTypeOf<ListPath<string>>().toEqualTypeOf<string>()
    expectTypeOf<ListPath<'/a/:id' | '/b/:c/:d'>>().toEqualTypeOf<'/a' | '/b/:c'>()
  })
})
