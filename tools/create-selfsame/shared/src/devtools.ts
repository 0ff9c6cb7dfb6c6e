import { controller } from './api'

let open: (() => void) | undefined

// In a production build this is `if (false)`, which leaves the panel out.
if (import.meta.env.DEV) {
  const { devtools } = await import('@selfsame/devtools')
  // Records from the first request on.
  let end = devtools(controller)
  open = () => {
    const endLast = end
    end = devtools(controller, { isOpen: true })
    endLast()
  }
}

/** Opens the panel: every call, every record, and why each request was sent. Undefined in production. */
export const openDevtools = open
