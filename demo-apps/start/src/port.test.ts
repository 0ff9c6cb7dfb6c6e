import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { findPort, PortError } from './port.js'

const host = '127.0.0.1'

test('gives a wanted port that is free, and any port for 0', async () => {
  const port = await findPort(0, host)
  expect(port).toBeGreaterThan(0)
  expect(await findPort(port, host)).toBe(port)
})

test('says in one paragraph what to do about a port that is in use', async () => {
  const port = await findPort(0, host)
  const other = createServer().listen(port, host)
  await new Promise((resolve) => other.once('listening', resolve))
  const error = await findPort(port, host).catch((thrown: unknown) => thrown)
  other.close()
  expect(error).toBeInstanceOf(PortError)
  expect((error as PortError).message).toBe(
    `Port ${port} of 127.0.0.1 is in use, so the demo was not started. Stop the program that uses it, or choose another port: PORT=${port + 1} npm run demo`,
  )
})
