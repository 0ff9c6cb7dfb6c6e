/**
 * The params of a literal path.
 *
 * `PathParams<'/:group/:id'>` is `{ readonly group: PathValue; readonly id: PathValue }`. The params of an
 * optional group, as in `/list{/:page}` and `/list/:page?`, are optional. `*path` takes several segments. A path that is not
 * a literal takes any params.
 */
export type PathParams<Path extends string> = Path extends unknown
  ? string extends Path
    ? { readonly [param: string]: WildcardValue | undefined }
    : ParamsOfNames<NamesOf<Path>>
  : never

/** The value of a path param. */
export type PathValue = string | number

/** The value of a `*name`: a list of segments, or text with slashes between them. */
export type WildcardValue = PathValue | readonly PathValue[]

/**
 * The path of a list, from the path of one record: the path before its last param.
 *
 * `ListPath<'/:group/:id'>` is `'/:group'`; `ListPath<'/:id'>` is `'/'`.
 */
export type ListPath<Path extends string> = Path extends unknown
  ? string extends Path
    ? string
    : Path extends `${string}${'{' | '\\' | '*'}${string}`
      ? ScannedListPath<Path>
      : ListPathOf<Path>
  : never

/** Reads a path without groups by its params, as `NamesOf` does. */
type ListPathOf<
  Path extends string,
  Rest extends string = Path,
  Kept extends string = '',
> = Rest extends `${infer Head}/:${infer After}`
  ? After extends `${string}:${string}`
    ? ListPathOf<Path, After, `${Kept}${Head}/:`>
    : After extends `${infer First}${string}`
      ? First extends Letter
        ? TrimEnd<`${Kept}${Head}`>
        : ScannedListPath<Path>
      : ScannedListPath<Path>
  : ScannedListPath<Path>

type ScannedListPath<Path extends string> = [BeforeLastParam<Path>] extends [never]
  ? Path
  : TrimEnd<CloseGroups<BeforeLastParam<Path>, OpenGroups<BeforeLastParam<Path>>>>

interface Names {
  required: string
  optional: string
  /** Those of the form `*name`. */
  wild: string
}

type ParamsOfNames<Found extends Names> = Flat<
  { readonly [Name in Found['required']]: ParamValue<Name, Found> } & {
    readonly [Name in Exclude<Found['optional'], Found['required']>]?: ParamValue<Name, Found> | undefined
  }
>

type ParamValue<Name, Found extends Names> = Name extends Found['wild'] ? WildcardValue : PathValue

/** One object type. `& {}` has no effect but that an editor shows its members, not this name. */
export type Flat<Type> = { [Name in keyof Type]: Type[Name] } & {}

/**
 * The names in a path. Where each param is a segment of its own, which is nearly everywhere, it is read by segments: this takes the
 * compiler a tenth of the time, and the names are those of other paths, too.
 */
type NamesOf<
  Path extends string,
  Rest extends string = Path,
  Found extends string = never,
> = Rest extends `${infer Head}/:${infer After}`
  ? Head extends `${string}${Mark}${string}`
    ? ScannedNames<Path>
    : After extends `${infer Name}/${infer Tail}`
      ? IsName<Name> extends true
        ? NamesOf<Path, `/${Tail}`, Found | Name>
        : ScannedNames<Path>
      : IsName<After> extends true
        ? NamesFound<Found | After, never, never>
        : ScannedNames<Path>
  : Rest extends `${string}${Mark}${string}`
    ? ScannedNames<Path>
    : NamesFound<Found, never, never>

type Mark = Sigil | '{' | '\\'

// All type arguments are written where it is used: with defaults it would be another type in each place.
interface NamesFound<Required extends string, Optional extends string, Wild extends string> {
  required: Required
  optional: Optional
  wild: Wild
}

type IsName<Text extends string> = Text extends '' ? false : TakeName<Text>[1] extends '' ? true : false

/** The names in a path, read character by character. `Groups` has one member for each open `{`. */
type ScannedNames<
  Path extends string,
  Groups extends readonly unknown[] = [],
  Required extends string = never,
  Optional extends string = never,
  Wild extends string = never,
> = Path extends `${infer Char}${infer Rest}`
  ? Char extends '\\'
    ? ScannedNames<Rest extends `${string}${infer Tail}` ? Tail : '', Groups, Required, Optional, Wild>
    : Char extends '{'
      ? ScannedNames<Rest, [...Groups, Char], Required, Optional, Wild>
      : Char extends '}'
        ? ScannedNames<Rest, Groups extends [unknown, ...infer Outer] ? Outer : [], Required, Optional, Wild>
        : Char extends Sigil
          ? TakeName<Rest> extends [infer Name extends string, infer Tail extends string]
            ? Name extends ''
              ? ScannedNames<Rest, Groups, Required, Optional, Wild>
              : IsOptional<Tail, Groups> extends true
                ? ScannedNames<Tail, Groups, Required, Optional | Name, Wild | WildName<Char, Name>>
                : ScannedNames<Tail, Groups, Required | Name, Optional, Wild | WildName<Char, Name>>
            : never
          : ScannedNames<Rest, Groups, Required, Optional, Wild>
  : NamesFound<Required, Optional, Wild>

/** The characters that begin a param. */
type Sigil = ':' | '*'

type WildName<Char extends Sigil, Name extends string> = Char extends '*' ? Name : never

/** `true` if a param is optional: by the `?` after it or by the group around it. */
type IsOptional<Tail extends string, Groups extends readonly unknown[]> = Tail extends `?${string}`
  ? true
  : Groups extends readonly []
    ? false
    : true

/** Splits text after its leading name: `TakeName<'id/x'>` is `['id', '/x']`. A name does not begin with a digit. */
type TakeName<Text extends string, Name extends string = ''> = Text extends `${infer Char}${infer Rest}`
  ? Char extends Letter
    ? TakeName<Rest, `${Name}${Char}`>
    : Char extends Digit
      ? Name extends ''
        ? ['', Text]
        : TakeName<Rest, `${Name}${Char}`>
      : [Name, Text]
  : [Name, Text]

type Digit = CharOf<'0123456789'>
type Lower = CharOf<'abcdefghijklmnopqrstuvwxyz'>
type Letter = Lower | Uppercase<Lower> | '_' | '$'

/** The characters of a text. */
type CharOf<Text extends string> = Text extends `${infer Char}${infer Rest}` ? Char | CharOf<Rest> : never

/** The path before the last param; `never` without params. */
type BeforeLastParam<
  Path extends string,
  Kept extends string = '',
  Head extends string = never,
> = Path extends `${infer Char}${infer Rest}`
  ? Char extends '\\'
    ? Rest extends `${infer Escaped}${infer Tail}`
      ? BeforeLastParam<Tail, `${Kept}${Char}${Escaped}`, Head>
      : Head
    : Char extends Sigil
      ? BeforeLastParam<Rest, `${Kept}${Char}`, Rest extends `${Letter}${string}` ? Kept : Head>
      : BeforeLastParam<Rest, `${Kept}${Char}`, Head>
  : Head

/** The path before each open group, the innermost first. */
type OpenGroups<
  Path extends string,
  Kept extends string = '',
  Open extends readonly string[] = [],
> = Path extends `${infer Char}${infer Rest}`
  ? Char extends '\\'
    ? Rest extends `${infer Escaped}${infer Tail}`
      ? OpenGroups<Tail, `${Kept}${Char}${Escaped}`, Open>
      : Open
    : Char extends '{'
      ? OpenGroups<Rest, `${Kept}${Char}`, [Kept, ...Open]>
      : Char extends '}'
        ? OpenGroups<
            Rest,
            `${Kept}${Char}`,
            Open extends [unknown, ...infer Outer extends string[]] ? Outer : []
          >
        : OpenGroups<Rest, `${Kept}${Char}`, Open>
  : Open

/** Closes the groups that begin before the last param. A group that has no other param is dropped. */
type CloseGroups<Path extends string, Open extends readonly string[]> = Open extends readonly [
  infer Before extends string,
  ...infer Outer extends readonly string[],
]
  ? Path extends `${Before}{${string}${Sigil}${Letter}${string}`
    ? CloseGroups<`${TrimSlash<Path>}}`, Outer>
    : CloseGroups<Before, Outer>
  : Path

type TrimSlash<Path extends string> = Path extends `${infer Head}/` ? TrimSlash<Head> : Path

type TrimEnd<Path extends string> = TrimSlash<Path> extends '' ? '/' : TrimSlash<Path>
