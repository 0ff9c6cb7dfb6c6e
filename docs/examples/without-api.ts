// without-api.ts
const backend = process.env['BACKEND'] ?? 'http://127.0.0.1:3000'

/** The paths of this backend do not begin with `/api`. */
export const withoutApi: typeof fetch = (target, init) => {
  const address = new URL(String(target))
  if (address.origin === new URL(backend).origin)
    address.pathname = address.pathname.replace(/^\/api(?=\/)/, '')
  return fetch(address, init)
}
