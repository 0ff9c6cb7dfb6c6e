import { Hono, type Context } from 'hono'

/** Drawn pictures, so that the demo shows images without a network: `/images/<name>.svg`, a color per name. */
export function imageRoutes(): Hono {
  const routes = new Hono()

  routes.get('/:name{[a-z]+-\\d+\\.svg}', (c) => {
    const name = c.req.param('name')
    const picture = /^(avatar|person)-/.test(name) ? drawPerson(name) : draw(name)
    return c.body(picture, 200, { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'max-age=3600' })
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

/** A head with hair and shoulders, in colors of its own. */
function drawPerson(name: string): string {
  const number = Number(/\d+/.exec(name)?.[0])
  const hue = (number * 67 + 190) % 360
  const skin = ['#f6d5b8', '#e0ac80', '#b97a4f', '#8a5434', '#f2c9a5'][number % 5]
  const hair = ['#2b2320', '#6b4226', '#c28e4c', '#1d1d27', '#8e8e95', '#a5482a'][number % 6]
  const cut = [
    'M20 33c0-10 5-16 12-16s12 6 12 16c-2-7-5-9-12-9s-10 2-12 9Z',
    'M18 42c-1-16 3-26 14-26s15 10 14 26c-3-3-3-9-4-13-6-1-12-3-14-5-1 5-5 7-6 8-1 3-2 8-4 10Z',
    'M21 30c-1-9 4-14 11-14 8 0 13 5 11 14-2-3-2-5-3-6-6 2-12 1-16-1-1 2-2 4-3 7Z',
  ][number % 3]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="${name}">
  <rect width="64" height="64" fill="hsl(${hue} 65% 82%)"/>
  <path d="M8 66c1-14 11-19 24-19s23 5 24 19Z" fill="hsl(${hue} 50% 42%)"/>
  <path d="M27 40h10v8a5 5 0 0 1-10 0Z" fill="${skin}" filter="brightness(.92)"/>
  <ellipse cx="32" cy="32" rx="10.5" ry="12" fill="${skin}"/>
  <path d="${cut}" fill="${hair}"/>
</svg>
`
}
