import { readFile } from 'node:fs/promises'

/** The files of both libraries, and what is in them. */
export const features = {
  'setup.tsx': 'set up',
  'declare.ts': 'declare the API',
  'list.ts': 'list, filter, search',
  'detail.ts': 'details',
  'edit.ts': 'edit, optimistic, with rollback',
  'create.ts': 'create',
  'delete.ts': 'delete',
  'live.ts': 'live changes',
} as const

export type FeatureFile = keyof typeof features

/** Counts the lines of code of each feature, of a library's folder in `src`. */
export async function linesOf(folder: string): Promise<ReadonlyMap<FeatureFile, number>> {
  const files = Object.keys(features) as FeatureFile[]
  const counts = files.map(async (file) => {
    const source = await readFile(new URL(`../src/${folder}/${file}`, import.meta.url), 'utf8')
    return [file, countLines(source)] as const
  })
  return new Map(await Promise.all(counts))
}

/** Lines that are neither empty, nor a comment, nor part of an import. */
export function countLines(source: string): number {
  const code = source
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/^import [^']*'[^']*'$/gm, '')
  return code.split('\n').filter((line) => line.trim() !== '').length
}
