import jscodeshift from 'jscodeshift'
import { rewriteAnnotations } from './annotations.js'
import { parseFile } from './blocks.js'
import { rewriteBoundaries } from './boundaries.js'
import { Calls } from './calls.js'
import { rewriteCurrent } from './current.js'
import { rewriteFactoryTypes } from './factory-types.js'
import { noteChanges } from './frozen.js'
import { Imports } from './imports.js'
import { rewriteIndexes } from './indexes.js'
import { Kinds } from './kinds.js'
import { rewriteLeftOver, rewriteOptimisticUpdate } from './left-over.js'
import { Modules } from './modules.js'
import type { Transform } from './names.js'
import { rewriteNext } from './next.js'
import { rewriteOverrides } from './overrides.js'
import { ResourceClasses } from './resource-classes.js'
import type { Remark, SourceFile } from './script.js'

/** A file that was changed. */
export interface Change {
  readonly path: string
  readonly before: string
  readonly after: string
}

/** A file that was not looked at. */
export interface Unseen {
  readonly path: string
  readonly reason: string
}

/** The result of a run. */
export interface Outcome {
  readonly changes: readonly Change[]
  /** Remarks on code that was left unchanged, or needs a review. */
  readonly remarks: readonly Remark[]
  readonly unseen: readonly Unseen[]
}

/**
 * Moves the files of an application from an older generation, or from Reactive Data Client.
 *
 * @param files - all files that use each other: a class is moved with its uses in other files. Paths have slashes
 */
export function runCodemod(transform: Transform, files: readonly SourceFile[]): Outcome {
  const remarks: Remark[] = []
  const unseen: Unseen[] = []
  const parsed = files.flatMap((file) => {
    try {
      return [parseFile(jscodeshift, file, remarks)]
    } catch (error) {
      unseen.push({ path: file.path, reason: `cannot be parsed: ${(error as Error).message}` })
      return []
    }
  })
  const modules = new Modules(parsed)
  const scripts = parsed.flatMap((file) =>
    file.scripts.map((script) => ({ script, imports: new Imports(script, transform) })),
  )
  for (const { script, imports } of scripts) rewriteOptimisticUpdate(script, imports)
  const kindsBefore = new Kinds(modules, scripts)
  const marks = scripts.some(({ script }) => script.hasOverrides)
  for (const { script, imports } of scripts) rewriteOverrides(script, imports, kindsBefore, marks)
  for (const { script, imports } of scripts) noteChanges(script, imports, kindsBefore)
  rewriteIndexes(scripts, modules)
  const classes = new ResourceClasses(modules)
  if (transform !== 'current') classes.find(scripts, transform)

  const moved = scripts.map(({ script, imports }) => {
    const calls = new Calls(script, imports, classes.knownIn(script))
    calls.rewrite()
    return { script, imports, calls }
  })
  classes.convert(new Set(moved.flatMap(({ calls }) => [...calls.used])))
  const kinds = new Kinds(modules, scripts)
  const application = {
    hasOthers: scripts.some(({ script }) => script.imports(/^react-error-boundary$/)),
    hasNext: scripts.some(({ script }) => script.imports(/^next\/|\/nextjs$/)),
  }
  for (const { script, imports, calls } of moved) {
    calls.rewriteSchemas()
    rewriteCurrent(script, imports, kinds)
    rewriteLeftOver(script, kinds)
    classes.finish(script, imports, calls.used)
    if (transform === 'current') rewriteFactoryTypes(script, imports)
    rewriteNext(script, imports)
    rewriteBoundaries(script, imports, application)
    rewriteAnnotations(script, imports)
    imports.finish()
  }
  const changes = parsed.flatMap(({ file, print }) => {
    const after = print()
    return after === file.text ? [] : [{ path: file.path, before: file.text, after }]
  })
  return { changes, remarks: remarks.sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line), unseen }
}
