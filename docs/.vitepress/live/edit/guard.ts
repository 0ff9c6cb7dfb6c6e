import { parser } from '@lezer/javascript'
import type { SyntaxNode } from '@lezer/common'

/** How long edited code may run without a pause, in milliseconds. */
const mostMs = 2000

/** The name by which guarded code asks whether it may go on. */
export const guardName = '$mayGoOn'

/**
 * Lets each function and each loop ask first, so that neither an endless loop nor functions that call one another for ever freeze
 * the page. Keeps the lines.
 *
 * @param code - JavaScript, without types
 */
export function guardLoops(code: string): string {
  const starts: Insert[] = []
  const ends: Insert[] = []
  parser.parse(code).iterate({
    enter({ node }) {
      const body = bodyOf(node)
      if (body === null) return
      if (body.name === 'Block') starts.push({ at: body.from + 1, text: `${guardName}();` })
      else {
        const [start, end] =
          node.name === 'ArrowFunction' ? [`(${guardName}(),`, ')'] : [`{${guardName}();`, '}']
        starts.push({ at: body.from, text: start })
        ends.push({ at: body.to, text: end })
      }
    },
  })
  // An outer node is found first. At one place, it starts first and ends last.
  const inserts = [...ends.toReversed(), ...starts].toSorted((a, b) => a.at - b.at)
  let guarded = ''
  let done = 0
  for (const { at, text } of inserts) {
    guarded += code.slice(done, at) + text
    done = at
  }
  return guarded + code.slice(done)
}

interface Insert {
  readonly at: number
  readonly text: string
}

/** What a function or a loop runs. */
function bodyOf(node: SyntaxNode): SyntaxNode | null {
  switch (node.name) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'MethodDeclaration':
      return node.getChild('Block')
    case 'ArrowFunction':
    case 'ForStatement':
    case 'WhileStatement':
      return node.lastChild
    case 'DoStatement':
      return node.firstChild?.nextSibling ?? null
    default:
      return null
  }
}

/** @returns a function that throws when it is called long after the first call of the same task */
export function createGuard(): () => void {
  let since: number | undefined
  return () => {
    const now = performance.now()
    if (since === undefined) {
      since = now
      setTimeout(() => (since = undefined))
    }
    if (now - since > mostMs)
      throw new Error(
        `Stopped: this ran for ${mostMs / 1000} seconds without a pause. Is it an endless loop?`,
      )
  }
}
