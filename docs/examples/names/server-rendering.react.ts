export { createServerRequest } from '@selfsame/react/ssr'
