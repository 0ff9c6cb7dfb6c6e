import { frameworkOf } from './frameworks.js'
import type { FrameworkId } from './frameworks.js'

/** What a heading says when its section is for one framework. */
const names: Readonly<Record<FrameworkId, RegExp>> = {
  react: /\b(?:React(?! Native)|Next|TanStack Router)\b/,
  vue: /\b(?:Vue|Nuxt|Pinia(?! Colada))\b/,
  svelte: /\b(?:Svelte|SvelteKit)\b/,
  typescript: /\bTypeScript\b/,
}

/** A part of a page: a fence, or text. */
interface Part {
  readonly text: string
  /** Of a fence: what its code is for. */
  readonly framework?: FrameworkId | undefined
  readonly isFence: boolean
}

/**
 * A page for readers of one framework: of code that stands there for each framework, it keeps theirs, and it leaves out the sections that
 * are for others. Where there is no code for their framework, what is there stays.
 */
export function forFramework(page: string, framework: FrameworkId): string {
  return joined(inRuns(withoutOthers(partsOf(page), framework)).flatMap((run) => chosen(run, framework)))
}

/** Whether a page as a whole is for another framework: `server-rendering/vue.md`. */
export const isForOther = (target: string, framework: FrameworkId): boolean => {
  const [, name] = /^(?:server-rendering|packages)\/(react|vue|svelte)\.md$/.exec(target) ?? []
  return name !== undefined && name !== framework
}

function partsOf(page: string): Part[] {
  return page.split(/(^```[\s\S]*?^```$\n?)/m).flatMap((text): Part[] => {
    const [, info] = /^```(.*)/.exec(text) ?? []
    if (info !== undefined) return [{ text, isFence: true, framework: frameworkOf(info) }]
    return text
      .split(/^(?=#)/m)
      .filter((part) => part !== '')
      .map((part) => ({ text: part, isFence: false }))
  })
}

/** Leaves out sections whose heading names other frameworks only, with the sections below them. */
function withoutOthers(parts: readonly Part[], framework: FrameworkId): Part[] {
  let left = Infinity
  return parts.filter(({ text, isFence }) => {
    const [, marks, title = ''] = isFence ? [] : (/^(#{2,}) (.*)/.exec(text) ?? [])
    if (marks === undefined) return left === Infinity
    if (marks.length > left) return false
    const named = (Object.keys(names) as FrameworkId[]).filter((id) => names[id].test(title))
    left = named.length > 0 && !named.includes(framework) ? marks.length : Infinity
    return left === Infinity
  })
}

/** Fences that follow one another, each for a framework, are one run. */
function inRuns(parts: readonly Part[]): Part[][] {
  const runs: Part[][] = []
  for (const part of parts) {
    const last = runs.at(-1)
    const isNext = part.framework !== undefined || (!part.isFence && part.text.trim() === '')
    if (isNext && last?.[0]?.framework !== undefined) last.push(part)
    else runs.push([part])
  }
  return runs
}

function chosen(run: readonly Part[], framework: FrameworkId): readonly Part[] {
  const there = new Set(run.flatMap((part) => part.framework ?? []))
  if (there.size < 2) return run
  const own = there.has(framework) ? framework : run[0]?.framework
  return run.filter((part) => part.framework === own)
}

const joined = (parts: readonly Part[]) =>
  parts
    .map(({ text, isFence }) => (isFence ? `\n${text}\n` : text))
    .join('')
    .replace(/\n{3,}/g, '\n\n')
