/** Kinds of remarks, in the order in which they are shown. */
export const remarkKinds = {
  entity: 'Records: what is an entity, and what is its primary key',
  relation: 'Relations that were guessed',
  resource: 'Resources',
  page: 'Pages',
  name: 'Names that were changed',
  left: 'Left out, or typed more widely than described',
} as const

export type RemarkKind = keyof typeof remarkKinds

/** Something that was guessed, changed or left out. */
export interface Remark {
  readonly kind: RemarkKind
  /** What it is about: a schema, a field, or method and path. */
  readonly place: string
  readonly text: string
}

/** Collects what was guessed. */
export class Report {
  readonly #remarks = new Map<string, Remark>()

  add(kind: RemarkKind, place: string, text: string): void {
    this.#remarks.set(`${kind} ${place} ${text}`, { kind, place, text })
  }

  /** All remarks, by kind, in the order of the description. */
  get remarks(): readonly Remark[] {
    const all = [...this.#remarks.values()]
    return (Object.keys(remarkKinds) as RemarkKind[]).flatMap((kind) =>
      all.filter((remark) => remark.kind === kind),
    )
  }
}

/** The report as text. */
export function reportText(remarks: readonly Remark[]): string {
  return (Object.keys(remarkKinds) as RemarkKind[])
    .flatMap((kind) => {
      const those = remarks.filter((remark) => remark.kind === kind)
      return those.length === 0
        ? []
        : [`\n${remarkKinds[kind]}:\n`, ...those.map(({ place, text }) => `  ${place} ${text}\n`)]
    })
    .join('')
}
