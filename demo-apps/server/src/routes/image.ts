import { Hono, type Context } from 'hono'

/** Drawn pictures, so that the demo shows images without a network: `/images/<name>.svg`, a color per name. */
export function imageRoutes(): Hono {
  const routes = new Hono()

  routes.get('/:name{[a-z]+-\\d+\\.svg}', (c) => {
    return c.body(draw(c.req.param('name')), 200, { 'Content-Type': 'image/svg+xml' })
  })

  return routes
}

/** @param image - a URL, or a path of this server; `''` for none */
export function absoluteImage(image: unknown, c: Context): string {
  return image === '' ? '' : new URL(String(image), c.req.url).href
}

function draw(name: string): string {
  const hue = (Number(/\d+/.exec(name)?.[0]) * 47) % 360
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 90" role="img" aria-label="${name}">
  <rect width="160" height="90" fill="hsl(${hue} 60% 85%)"/>
  <circle cx="120" cy="28" r="14" fill="hsl(${hue} 80% 95%)"/>
  <path d="M0 90 50 38 82 66 108 48 160 90Z" fill="hsl(${hue} 45% 45%)"/>
</svg>
`
}
