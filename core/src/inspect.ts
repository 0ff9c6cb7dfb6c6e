/**
 * Looks into a Controller: for panels and tests. An application that does not import this ships none of it.
 *
 * @packageDocumentation
 */
export { Inspector } from './inspect/inspector.js'
export type {
  InspectedCall,
  InspectedLayer,
  InspectedList,
  InspectedOrigin,
  InspectedRecord,
  InspectedRow,
  RecordName,
} from './inspect/inspector.js'
export type { Occasion, RequestReason } from './controller/tracer.js'
