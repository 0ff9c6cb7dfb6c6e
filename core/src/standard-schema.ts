/**
 * Classes as Standard Schemas, for forms. An application that does not import this ships none of it.
 *
 * @packageDocumentation
 */
export { standardSchemaOf } from './standard-schema/standard-schema-of.js'
export type { EntityInput, EntityOutput } from './standard-schema/standard-schema-of.js'
export type { InputOf, OutputOf, StandardResult, StandardSchema } from './standard-schema/standard-schema.js'
export type { StandardIssue } from './schema/validator.js'
