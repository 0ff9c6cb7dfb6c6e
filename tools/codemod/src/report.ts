import { relative } from 'node:path'
import { diffOf } from './diff.js'
import type { Outcome } from './run.js'
import type { Remark } from './script.js'
import type { Types } from './type-check.js'

/** What a run tells its user. */
export interface Report extends Outcome {
  readonly isDry: boolean
  /** The old packages in the application's `package.json`. */
  readonly dependencies: readonly { readonly path: string; readonly line: number; readonly name: string }[]
  /** `undefined` for an application without a `tsconfig.json`, and for a run that writes nothing. */
  readonly types: Types | undefined
}

/** Writes the report as text: what was converted, what is left with its cure, and what was not looked at. */
export function toText(report: Report): string {
  const { changes, remarks, unseen, dependencies, isDry, types } = report
  const byHand = remarks.filter(({ runs }) => !runs)
  const onLegacy = remarks.filter(({ runs }) => runs)
  return [
    ...changes.map(({ path, before, after }) =>
      isDry ? diffOf(here(path), before, after) : `changed ${here(path)}\n`,
    ),
    changes.length === 0 ? 'Nothing to change.\n' : '',
    list(`Do these ${byHand.length} by hand:`, byHand.map(toLine)),
    list(`These ${onLegacy.length} stay on a legacy entry, and run:`, onLegacy.map(toLine)),
    list(
      'Not looked at:',
      unseen.map(({ path, reason }) => `${here(path)}: ${reason}`),
    ),
    list(
      'Remove these packages when nothing names them any more:',
      dependencies.map(({ path, line, name }) => `${here(path)}:${line}: ${name}`),
    ),
    summaryOf(report, byHand.length, onLegacy.length),
    typesOf(types),
  ].join('')
}

/** Writes the report as JSON. */
export function toJson({ changes, remarks, unseen, dependencies, types }: Report): string {
  const changed = changes.map(({ path }) => path)
  return `${JSON.stringify({ changed, remarks, unseen, dependencies, types }, null, 2)}\n`
}

function summaryOf({ changes, unseen, isDry }: Report, byHand: number, onLegacy: number): string {
  const lines = changes.flatMap(({ path, before, after }) =>
    diffOf(path, before, after)
      .split('\n')
      .filter((line) => /^-(?!-- )/.test(line)),
  )
  if (changes.length + byHand + onLegacy + unseen.length === 0) return ''
  const verb = isDry ? 'would change' : 'changed'
  return `\nThe codemod ${verb} ${count(lines.length, 'line')} of ${count(changes.length, 'file')}. ${byHand} to do by hand, ${onLegacy} on a legacy entry, ${count(unseen.length, 'file')} not looked at.\n`
}

function typesOf(types: Types | undefined): string {
  if (types === undefined) return ''
  if ('unchecked' in types) return `Types are not checked: ${types.unchecked}.\n`
  const { before, after, added } = types
  return `Types: ${count(before, 'error')} before, ${after} after.\n${list('New ones:', added)}`
}

const here = (path: string) => relative('', path) || path

const toLine = ({ path, line, reason }: Remark) => `${here(path)}:${line}: ${reason}`

const list = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? '' : `\n${title}\n${lines.join('\n')}\n`

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`
