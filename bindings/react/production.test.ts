import { development } from '@selfsame/core/bindings'
import { DEV } from 'esm-env'
import { act } from 'react'
import { expect, test } from 'vitest'

test('the tests of this project run with what is built for production, and so does Svelte and React', () => {
  expect([development, DEV, act, process.env['NODE_ENV']]).toEqual([false, false, undefined, 'production'])
})
