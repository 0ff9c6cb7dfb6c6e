import type { SchemaAdapter, Shape } from './adapter.js'
import type { StandardSchema } from './standard-schema.js'

/** What is read of a type of arktype 2. */
interface ArkType extends StandardSchema {
  readonly includesTransform: boolean
  readonly branches: readonly ArkBranch[]
}
interface ArkBranch {
  readonly kind: string
  readonly unit?: unknown
  readonly structure?: {
    readonly props?: readonly ArkProp[]
    readonly index?: readonly { readonly value: ArkType }[]
    readonly sequence?: { readonly variadic?: ArkType; readonly prefix?: readonly unknown[] }
  }
}
interface ArkProp {
  readonly key: PropertyKey
  readonly value: ArkType
  readonly default?: unknown
}

/** Looks into the types of arktype. */
export const arktypeAdapter: SchemaAdapter = {
  vendor: 'arktype',
  shapeOf: (schema) => shapeOf(schema as ArkType),
  converts: (schema) => converts(schema as ArkType),
}

function shapeOf({ branches }: ArkType): Shape {
  const [branch, ...others] = branches.filter(({ kind, unit }) => kind !== 'unit' || unit != null)
  const structure = branch?.structure
  if (branch?.kind === 'morph' || structure === undefined || others.length > 0) return { kind: 'other' }
  const { sequence, props = [], index: [signature] = [] } = structure
  if (sequence?.variadic && !sequence.prefix?.length) return { kind: 'list', member: sequence.variadic }
  if (sequence) return { kind: 'other' }
  if (signature && props.length === 0) return { kind: 'map', member: signature.value }
  const fields = props.map((prop) => {
    const { default: preset } = prop
    const getDefault =
      'default' in prop
        ? () => (typeof preset === 'function' ? (preset as () => unknown)() : preset)
        : undefined
    return [String(prop.key), { schema: prop.value, getDefault }] as const
  })
  return { kind: 'object', fields: Object.fromEntries(fields) }
}

function converts(type: ArkType): boolean {
  if (type.includesTransform) return true
  const shape = shapeOf(type)
  if (shape.kind === 'list' || shape.kind === 'map') return converts(shape.member as ArkType)
  if (shape.kind !== 'object') return false
  // A default inside an object fills what is missing in it.
  return Object.values(shape.fields).some(
    ({ schema, getDefault }) => getDefault !== undefined || converts(schema as ArkType),
  )
}
