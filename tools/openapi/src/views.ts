import type { Report } from './report.js'
import { allFields, groupBy, isEntity, isSame } from './types.js'
import type { Declaration, Field } from './types.js'

// Several classes for one record: a summary in lists, all of it by itself.

/** Makes a class that has all fields of another of the same table its subclass. */
export function findSummaries(declarations: readonly Declaration[], report: Report): void {
  const tables = tablesOf(declarations)
  for (const full of declarations) {
    if (full.identity === undefined || full.base !== undefined || full.subtypes !== undefined) continue
    const candidates = (tables.get(full.identity.key) ?? []).filter(
      (one) => one !== full && isSummaryOf(one, full),
    )
    const [summary] = candidates.sort((a, b) => allFields(b).length - allFields(a).length)
    if (summary === undefined) continue
    full.base = summary
    full.summary = summary
    const inherited = allFields(summary)
    full.fields = full.fields.filter((field) => {
      const before = inherited.find(({ name }) => name === field.name)
      return before === undefined || before.isRequired !== field.isRequired
    })
    report.add('entity', full.source, `extends ${summary.name}, which has some of its fields.`)
  }
}

function isSummaryOf(summary: Declaration, full: Declaration): boolean {
  if (summary.identity?.key !== full.identity?.key || summary.identity?.pk !== full.identity?.pk) return false
  if (summary.renamed.size > 0 || full.renamed.size > 0 || summary.subtypes !== undefined) return false
  if (isBelow(summary, full)) return false
  const fields = new Map(allFields(full).map((field) => [field.name, field]))
  const own = allFields(summary)
  return own.length < fields.size && own.every((field) => fits(field, fields.get(field.name)))
}

const fits = (field: Field, other: Field | undefined) =>
  other !== undefined && isSame(field.type, other.type) && (other.isRequired || !field.isRequired)

function isBelow(declaration: Declaration, base: Declaration): boolean {
  for (let one = declaration.base; one !== undefined; one = one.base) if (one === base) return true
  return false
}

/** The entities of each table. */
export type Tables = ReadonlyMap<string, readonly Declaration[]>

export const tablesOf = (declarations: readonly Declaration[]): Tables =>
  groupBy(declarations.filter(isEntity), ({ identity }) => identity?.key ?? '')

/** Fields without which a record of the table is only another view of it, such as its summary. */
export function fieldsToValidate(declaration: Declaration, tables: Tables): readonly string[] {
  const { identity } = declaration
  if (identity === undefined) return []
  const required = allFields(declaration).filter((field) => field.isRequired && !field.isWriteOnly)
  const found: string[] = []
  for (const other of tables.get(identity.key) ?? []) {
    if (other === declaration) continue
    // A subclass has all that its base needs.
    if (isBelow(other, declaration)) continue
    const theirs = new Map(allFields(other).map((field) => [field.name, field]))
    const lacking = required.filter(({ name }) => theirs.get(name) === undefined)
    if (lacking.some(({ name }) => found.includes(name))) continue
    const [first] = lacking
    if (first !== undefined) found.push(first.name)
  }
  return found
}
