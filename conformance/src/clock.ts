/** The clock for users' tests, under the name that the scenarios use. */
export { TestClock as ManualClock } from '@selfsame/core/testing'
