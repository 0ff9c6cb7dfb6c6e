export { TestClock as ManualClock } from '@selfsame/core/testing'
