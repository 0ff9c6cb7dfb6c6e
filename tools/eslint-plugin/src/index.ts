import type { ESLint, Linter, Rule } from 'eslint'
import { catchMutation } from './rules/catch-mutation.js'
import { collectionNestKey } from './rules/collection-nest-key.js'
import { entityKey } from './rules/entity-key.js'
import { fieldSchema } from './rules/field-schema.js'
import { hookInSetup } from './rules/hook-in-setup.js'
import { noDataMutation } from './rules/no-data-mutation.js'
import { noDestructuredHandle } from './rules/no-destructured-handle.js'
import { noEndpointInRender } from './rules/no-endpoint-in-render.js'
import { reactiveArgs } from './rules/reactive-args.js'
import { suspenseBoundary } from './rules/suspense-boundary.js'

const rules = {
  'catch-mutation': catchMutation,
  'collection-nest-key': collectionNestKey,
  'entity-key': entityKey,
  'field-schema': fieldSchema,
  'hook-in-setup': hookInSetup,
  'no-data-mutation': noDataMutation,
  'no-destructured-handle': noDestructuredHandle,
  'no-endpoint-in-render': noEndpointInRender,
  'reactive-args': reactiveArgs,
  'suspense-boundary': suspenseBoundary,
} satisfies Record<string, Rule.RuleModule>

type RuleName = keyof typeof rules

const meta = { name: '@selfsame/eslint-plugin', version: '0.1.0', namespace: 'selfsame' }
const plugin: ESLint.Plugin = { meta, rules }

const recommended: Linter.Config = {
  name: 'selfsame/recommended',
  plugins: { selfsame: plugin },
  rules: Object.fromEntries(
    (Object.keys(rules) as RuleName[]).map((name) => [`selfsame/${name}`, 'error' as const]),
  ),
}

/**
 * Rules for applications of Selfsame: for ESLint 9 and 10, and as a JS plugin of oxlint.
 *
 * @example
 * // eslint.config.js
 * import selfsame from '@selfsame/eslint-plugin'
 * export default [selfsame.configs.recommended]
 */
export default { ...plugin, configs: { recommended } } as {
  readonly meta: typeof meta
  readonly rules: Readonly<Record<RuleName, Rule.RuleModule>>
  readonly configs: { readonly recommended: Linter.Config }
}
