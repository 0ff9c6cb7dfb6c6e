export { createServerRequest } from '@selfsame/react/ssr'
export { renderToReadableStream } from 'react-dom/server'
