import type { Controller } from '@selfsame/core'
import { Recording } from './recording.js'
import type { Entry, RecordingOptions } from './recording.js'

/** Recordings that are under way, by their Controller. */
export const recordings = new WeakMap<Controller, Recording>()

/** Begins to record. Each Controller has one recording, which several may use: each of them ends its use by `endOf`. */
export function begin(controller: Controller, options: RecordingOptions): Recording {
  const known = recordings.get(controller)
  const recording = known ?? new Recording(controller, options)
  if (options.recordsChanges === true) recording.recordChanges()
  recording.users++
  recordings.set(controller, recording)
  return recording
}

/** Ends one use of a recording. The last one ends the recording. */
export function endOf(controller: Controller, recording: Recording): void {
  if (--recording.users > 0) return
  recording.end()
  if (recordings.get(controller) === recording) recordings.delete(controller)
}

/**
 * Calls a function with each new entry, once in a task.
 *
 * @param after - the id of the last entry that is not wanted; 0 for all that are kept
 * @returns a function that ends it
 */
export function follow(recording: Recording, onEntry: (entry: Entry) => void, after: number): () => void {
  let last = after
  const tell = () => {
    for (const entry of recording.ownEntries) {
      if (entry.id <= last) continue
      last = entry.id
      onEntry(entry)
    }
  }
  tell()
  return recording.subscribe(tell)
}
