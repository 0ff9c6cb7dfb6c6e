import type { InspectedCall, Inspector } from '@selfsame/core/inspect'
import { setupDevtoolsPlugin } from '@vue/devtools-api'
import { explainCall, explainStored } from './explain.js'
import type { Entry, Recording } from './recording.js'
import { follow } from './recordings.js'
import { argsText } from './texts.js'

/** What the devtools of Vue hand to a plugin. */
type Api = Parameters<Parameters<typeof setupDevtoolsPlugin>[1]>[0]
type Handlers = Api['on']
type Payload<Name extends keyof Handlers> = Parameters<Parameters<Handlers[Name]>[0]>[0]
type Tree = Payload<'getInspectorTree'>['rootNodes']
type State = Payload<'getInspectorState'>['state']

interface Place {
  readonly app: object
  readonly recording: Recording
  readonly name: string
  readonly id: string
}

/** The records of a type that the tree lists. The filter finds the others. */
const mostRecords = 100

/** The colour of the timeline's layer. */
const indigo = 0x4a3fe0

/** Adds an inspector and a layer of the timeline. @returns a function that ends both: they stay in the devtools, and are empty */
export function addInspector(place: Place): () => void {
  const { app, recording, name, id } = place
  let end: (() => void) | undefined
  let isEnded = false
  setupDevtoolsPlugin(
    {
      id,
      label: name,
      packageName: '@selfsame/devtools',
      homepage: 'https://github.com/selfsame-data/selfsame',
      app: app as never,
    },
    (api) => {
      if (isEnded) return
      end?.()
      recording.recordChanges()
      answer(api, place, () => isEnded)
      end = tell(api, place)
    },
  )
  return () => {
    isEnded = true
    end?.()
  }
}

/** Answers what the inspector asks. */
function answer(api: Api, { recording, name, id }: Place, isEnded: () => boolean): void {
  const { inspector } = recording
  const callOf = (node: string) =>
    node.startsWith('call ') ? inspector.call(Number(node.slice(5))) : undefined
  const act = (icon: string, tooltip: string, run: (call: InspectedCall) => void) => ({
    icon,
    tooltip,
    action: (node: string) => {
      const call = callOf(node)
      if (call !== undefined) run(call)
      api.sendInspectorState(id)
    },
  })
  api.addInspector({
    id,
    label: name,
    icon: 'storage',
    treeFilterPlaceholder: 'Filter calls and records',
    stateFilterPlaceholder: 'Filter fields',
    noSelectionText: 'Choose a call or a record.',
    nodeActions: [
      act('refresh', 'Fetch the call', ({ id: call, isFetchable }) => {
        // Its readers show the error.
        if (isFetchable) inspector.refetch(call).catch(() => {})
      }),
      act('timer_off', 'Make the call Stale', ({ id: call }) => inspector.expire(call)),
      act('block', 'Make the call Invalid', ({ id: call }) => inspector.invalidate(call)),
    ],
  })
  const isOurs = ({ inspectorId }: { readonly inspectorId: string }) => inspectorId === id && !isEnded()
  api.on.getInspectorTree((payload) => {
    if (isOurs(payload)) payload.rootNodes = treeOf(inspector, payload.filter)
  })
  api.on.getInspectorState((payload) => {
    if (isOurs(payload)) payload.state = stateOf(recording, payload.nodeId)
  })
  api.on.editInspectorState((payload) => {
    if (!isOurs(payload)) return
    const [key, pk] = recordIn(payload.nodeId)
    const [field] = payload.path
    if (key === undefined || pk === undefined || field === undefined) return
    const fields = structuredClone({ ...inspector.record(key, pk)?.fields })
    payload.set(fields, payload.path, payload.state.value)
    inspector.edit(key, pk, { [field]: fields[field] })
  })
}

/** Tells the devtools what happens. @returns a function that ends it */
function tell(api: Api, { recording, name, id }: Place): () => void {
  api.addTimelineLayer({ id, label: name, color: indigo })
  const endTimeline = follow(
    recording,
    (entry) => api.addTimelineEvent({ layerId: id, event: eventOf(entry) }),
    // A layer is off until somebody records it, so the devtools would drop what was before.
    recording.ownEntries.at(-1)?.id ?? 0,
  )
  const endTree = recording.subscribe(() => {
    // The devtools wait before they ask, so several of these make one question.
    api.sendInspectorTree(id)
    api.sendInspectorState(id)
  })
  return () => {
    endTimeline()
    endTree()
  }
}

/** A request and its response are a group. */
function eventOf({ at, title, why, effect, kind, request, payload, changes }: Entry) {
  return {
    time: at,
    title,
    subtitle: why ?? effect ?? '',
    logType: kind === 'error' ? ('error' as const) : ('default' as const),
    ...(request === undefined ? {} : { groupId: request }),
    data: {
      ...(why === undefined ? {} : { why }),
      ...(effect === undefined ? {} : { effect }),
      ...(payload === undefined ? {} : { response: parsed(payload) }),
      ...Object.fromEntries(
        changes.map(({ what, before, after }) => [what, { before: parsed(before), after: parsed(after) }]),
      ),
    },
  }
}

/** A text that may have been cut. */
function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}

function treeOf(inspector: Inspector, filter: string): Tree {
  const wanted = filter.toLowerCase()
  const calls = inspector
    .calls()
    .filter((call) => `${nameOf(call)} ${call.key}`.toLowerCase().includes(wanted))
  return [
    { id: 'calls', label: `Calls (${calls.length})`, children: calls.map(nodeOfCall) },
    {
      id: 'records',
      label: 'Records',
      children: inspector.types().map(({ key, count }) => ({
        id: `type ${key}`,
        label: `${key} (${count})`,
        children: recordsOf(inspector, key, count, filter),
      })),
    },
  ]
}

function recordsOf(inspector: Inspector, key: string, count: number, filter: string): Tree {
  const rows = inspector.records(key, filter, mostRecords)
  const nodes = rows.map(({ pk }) => ({ id: `record ${JSON.stringify([key, pk])}`, label: pk }))
  if (filter === '' && count > nodes.length)
    nodes.push({ id: `more ${key}`, label: `${count - nodes.length} more: filter for them` })
  return nodes
}

const tag = (label: string, backgroundColor: number) => ({ label, backgroundColor, textColor: 0xffffff })

const colours = { Valid: 0x166534, Stale: 0x8a5a00, Invalid: 0xb42318 }

function nodeOfCall(call: InspectedCall): Tree[number] {
  return {
    id: `call ${call.id}`,
    label: nameOf(call),
    tags: [
      tag(call.status, colours[call.status]),
      ...(call.fetching ? [tag('fetching', 0x1e40af)] : []),
      ...(call.error === undefined ? [] : [tag('error', colours.Invalid)]),
    ],
  }
}

function stateOf(recording: Recording, node: string): State {
  const { inspector } = recording
  const now = recording.now
  const [key, pk] = recordIn(node)
  if (key !== undefined && pk !== undefined) {
    const record = inspector.record(key, pk)
    return {
      Fields: rowsOf(record?.fields ?? {}, record?.isEditable === true),
      Why: rowsOf({ why: sentencesIn(explainStored(key, pk, record, recording, now).text) }),
      'Shown by': rowsOf(
        Object.fromEntries((record?.shownBy ?? []).map((call) => [nameOf(call), call.status])),
      ),
    }
  }
  const call = node.startsWith('call ') ? inspector.call(Number(node.slice(5))) : undefined
  if (call === undefined) return {}
  const { text, readers } = explainCall({
    name: nameOf(call),
    key: call.key,
    call,
    inspector,
    recording,
    now,
  })
  const { status, retainers, error, data } = call
  return {
    Why: rowsOf({ why: sentencesIn(text) }),
    State: rowsOf({ status, readers, retainers, key: call.key, error: error?.message }),
    Data: rowsOf({ data }),
  }
}

/** The sentences of an explanation. */
const sentencesIn = (text: string) => text.split('\n')

function rowsOf(values: Readonly<Record<string, unknown>>, editable = false): State[string] {
  return Object.entries(values).map(([key, value]) => ({ key, value, editable }))
}

/** The entity key and the primary key of a node of a record. */
function recordIn(node: string): readonly [string?, string?] {
  return node.startsWith('record ') ? (JSON.parse(node.slice(7)) as [string, string]) : []
}

const nameOf = ({ endpoint, args }: InspectedCall): string => `${endpoint} ${argsText(args)}`.trim()
