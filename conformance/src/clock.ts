/** The clock that users of the library step in their tests, by the name that scenarios know it by. */
export { TestClock as ManualClock } from '@selfsame/core/testing'
