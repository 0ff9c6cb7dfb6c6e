'use client'
/**
 * The panel of `@selfsame/devtools`, as a component. An application that does not import this ships none of it.
 *
 * @packageDocumentation
 */
import { devtools } from '@selfsame/devtools'
import type { DevtoolsOptions } from '@selfsame/devtools'
import { useEffect } from 'react'
import { useController } from './use-controller.js'

/**
 * Records the Controller of the nearest provider, and puts the button on the page that opens its panel. It renders nothing.
 *
 * What happens before it is mounted is not recorded: call `devtools(controller)` beside `new Controller()` to see the first
 * requests too. Its options are read once.
 *
 * @example <DataProvider><App />{import.meta.env.DEV && <SelfsameDevtools />}</DataProvider>
 */
export function SelfsameDevtools(options: DevtoolsOptions): null {
  const controller = useController()
  // eslint-disable-next-line react-hooks/exhaustive-deps -- The options are read once.
  useEffect(() => devtools(controller, options), [controller])
  return null
}
