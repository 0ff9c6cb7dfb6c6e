// Loads React before a test does. It shows the content of a boundary 300 milliseconds after the last fallback at the earliest. In
// development `act` spares tests that wait. In production there is no `act`, so React gets timers that do not wait.
import { clearImmediate, setImmediate } from 'node:timers'

const { setTimeout: start, clearTimeout: stop } = globalThis
Object.assign(globalThis, { setTimeout: setImmediate, clearTimeout: clearImmediate })
await import('react-dom/client')
Object.assign(globalThis, { setTimeout: start, clearTimeout: stop })
