import type { Rule, SourceCode } from 'eslint'
import { startOf } from './ast.js'
import type { Node } from './ast.js'

const pages = 'https://github.com/selfsame-data/selfsame/blob/main/docs/linter.md'

interface Definition {
  /** The name of the rule, without the prefix. */
  readonly name: string
  /** What it reports, in one sentence. */
  readonly description: string
  readonly type: 'problem' | 'suggestion'
  readonly fixable?: 'code'
  /** The texts by their names. Each says what was found and what to write. */
  readonly messages: Record<string, string>
  create(context: Rule.RuleContext): Visitors
}

// Each function takes the nodes that its selector names, and foreign parsers have nodes that ESLint's types do not know.
// eslint-disable-next-line typescript/no-explicit-any
type Visitors = Record<string, (node: any) => void>

/** A rule of the recommended set, with a section of the page about the linter. */
export function defineRule(definition: Definition): Rule.RuleModule {
  const { name, description, type, fixable, messages, create } = definition
  return {
    meta: {
      type,
      docs: { description, recommended: true, url: `${pages}#${name}` },
      ...(fixable !== undefined && { fixable }),
      schema: [],
      messages,
    },
    create: (context) => create(context) as Rule.RuleListener,
  }
}

interface VueServices {
  readonly defineTemplateBodyVisitor?: (template: Visitors, script: Visitors) => Visitors
  readonly getDocumentFragment?: () => {
    readonly children: readonly {
      readonly name?: string
      readonly range: readonly [number, number]
      readonly startTag?: { readonly attributes: readonly { readonly key: { readonly name: unknown } }[] }
    }[]
  } | null
}

const vueServices = (code: SourceCode) => code.parserServices as VueServices

/** Visits the script, and the template of a Vue component where its parser gives one. */
export function withTemplate(context: Rule.RuleContext, template: Visitors, script: Visitors): Visitors {
  return vueServices(context.sourceCode).defineTemplateBodyVisitor?.(template, script) ?? script
}

/** Where a node stands in a Vue component; `undefined` if it is no Vue component, or cannot be told. */
export function vueScript(context: Rule.RuleContext, node: Node): 'setup' | 'module' | undefined {
  const parts = vueServices(context.sourceCode).getDocumentFragment?.()?.children ?? []
  const start = startOf(node)
  const script = parts.find(({ name, range }) => name === 'script' && range[0] <= start && start < range[1])
  if (script === undefined) return undefined
  return script.startTag?.attributes.some(({ key }) => key.name === 'setup') ? 'setup' : 'module'
}
