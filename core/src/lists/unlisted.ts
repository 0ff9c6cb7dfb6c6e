import { warn } from '../errors.js'
import { toKeys } from '../normalize/reference.js'
import { contractOf } from '../schema/contract-of.js'
import { EntityPlan } from '../schema/entity-plan.js'
import type { Fields } from '../schema/fields.js'
import { recordOf } from '../schema/members-schema.js'
import { RecordNode } from '../store/records.js'
import type { MembershipChange } from './membership-change.js'
import type { CollectionNode, ListGroup } from './collection-node.js'

/**
 * Warns of Collections in records that a created record cannot join, because they lack `nestKey`, or it names the record's own
 * primary key. Only for development.
 *
 * @param lists - the lists with the same members
 * @param others - lists that no mutation changes
 * @param isListed - `true` if the record joined a list
 * @param warned - what was warned of already, which grows
 */
export function warnOfUnlisted(
  change: MembershipChange,
  lists: readonly CollectionNode[],
  others: ListGroup | undefined,
  isListed: boolean,
  warned: Set<string>,
): void {
  const nested = [...(others?.nodes.values() ?? [])].filter(
    (node) => node.members !== undefined && node.collection.members === change.collection?.members,
  )
  for (const { id, text } of unlistedIn(change, lists, nested, isListed)) {
    if (!warned.has(id)) warn(text)
    warned.add(id)
  }
}

/** What is wrong with the Collection of a list, so that a created record does not join it. */
interface Unlisted {
  /** Equal for the same mistake. */
  readonly id: string
  readonly text: string
}

function unlistedIn(
  { parts, kind, sentOf }: MembershipChange,
  lists: readonly CollectionNode[],
  nested: readonly CollectionNode[],
  isListed: boolean,
): Unlisted[] {
  const record = recordOf(parts[0])
  if (!(record instanceof RecordNode) || record.fields === undefined || kind === 'remove' || kind === 'move')
    return []
  const { key } = record.table
  const fields = toKeys({ ...sentOf(record).target, ...record.fields }) as Fields
  const found: Unlisted[] = []
  for (const { collection, part } of lists) {
    const { nestKey } = collection.options
    const own = Object.keys(part.filter).find((name) => isKey(collection.content.member, record, name))
    if (nestKey === undefined || own === undefined) continue
    const text = `A created ${key} joins no list of a Collection in a record: its \`nestKey\` names "${own}", which is the primary key of ${key} itself. Name the field of ${key} that holds the key of the record around the list: \`nestKey: (record) => ({ recordId: record.${own} })\`.`
    found.push({ id: collection.kind, text })
  }
  if (isListed) return found
  for (const { name, member } of nested) {
    const [owner, pk] = ownerOf(name)
    const field = name.slice(name.lastIndexOf(' ') + 1)
    const around = `${owner.charAt(0).toLowerCase()}${owner.slice(1)}`
    const names = Object.keys(fields).filter((each) => !isKey(member, record, each))
    const by = names.find((each) => isTextOf(fields[each], pk)) ?? `${around}Id`
    const text = `A created ${key} joins no list: the Collection in ${owner}.${field} has no \`nestKey\`, so only a response with the ${owner} changes it. Add \`nestKey: (${around}) => ({ ${by}: ${around}.id })\`, which names a field of ${key}, or a param or a field of the body of the mutation.`
    found.push({ id: `${owner}.${field}`, text })
  }
  return found
}

/** Returns entity key and primary key of the record around a list. That of a hydrated list may have any name. */
function ownerOf(name: string): readonly [string, string] {
  try {
    return JSON.parse(name.slice(0, name.lastIndexOf(' '))) as [string, string]
  } catch {
    return [name, '']
  }
}

/** Returns `true` for one value with this text. Objects need not have a text. */
function isTextOf(value: unknown, text: string): boolean {
  return typeof value !== 'object' && String(value) === text
}

/** Returns `true` if a field alone is the primary key of a record. */
function isKey(member: CollectionNode['member'], { fields = {}, pk }: RecordNode, name: string): boolean {
  const plan = contractOf(member)
  if (!(plan instanceof EntityPlan) || !isTextOf(fields[name], pk)) return false
  try {
    return plan.pkOf({ ...fields, [name]: undefined }, undefined, undefined, []) === undefined
  } catch {
    // `pk` of the class needs the field.
    return true
  }
}
