export { createMockController } from '@selfsame/core/testing'
