export { Entity, Query, SelfsameError, schema } from '@selfsame/core'
