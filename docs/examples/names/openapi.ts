/** A description that was parsed. */
export declare const description: object
export { createMockController } from '@selfsame/core/testing'
export { defineMocks } from '@selfsame/openapi/mocks'
export { toHandlers } from '@selfsame/openapi/msw'
export { setupServer } from 'msw/node'
export { addComment, articleResource } from '../openapi/api/index.js'
