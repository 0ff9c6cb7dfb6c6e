/**
 * A panel for Selfsame, and the answer to "why".
 *
 * @packageDocumentation
 */
export { devtools, record } from './devtools.js'
export type { DevtoolsOptions } from './devtools.js'
export { explain, explainRecord } from './explain.js'
export type { CallExplanation, RecordExplanation } from './explain.js'
export type { ChangeText, Entry, ErrorData, RecordingData, RecordingOptions } from './recording.js'
