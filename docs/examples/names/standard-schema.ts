export * as ofArktype from '@selfsame/core/arktype'
export * as ofValibot from '@selfsame/core/valibot'
export { type } from 'arktype'
export * as v from 'valibot'
