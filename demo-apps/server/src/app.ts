import { Hono, type Context } from 'hono'
import { cors } from 'hono/cors'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { fromConstraint } from './constraint-error.js'
import type { Database } from './database.js'
import type { Changes } from './live/changes.js'
import type { Presence } from './live/presence.js'
import type { Ticker } from './live/ticker.js'
import type { Views } from './live/views.js'
import { RequestError } from './errors.js'
import { Knob, knobMiddleware } from './knob.js'
import { logMiddleware, RequestLog } from './request-log.js'
import { articleRoutes } from './routes/article.js'
import { avatarImageRoutes, avatarRoutes } from './routes/avatar.js'
import { birthdayRoutes } from './routes/birthday.js'
import { commentRoutes } from './routes/comment.js'
import { controlRoutes } from './routes/control.js'
import { currentUserRoutes } from './routes/current-user.js'
import { feedRoutes } from './routes/feed.js'
import { graphqlRoutes } from './routes/graphql.js'
import { imageRoutes } from './routes/image.js'
import { activityRoutes, issueRoutes, labelRoutes } from './routes/issue.js'
import { liveRoutes } from './routes/live.js'
import { newsRoutes, pagedNewsRoutes } from './routes/news.js'
import { profileRoutes } from './routes/profile.js'
import { todoRoutes } from './routes/todo.js'
import { userProcedureRoutes, userRoutes } from './routes/user.js'
import { seed, type SeedSizes } from './seed.js'

/** The sources of live messages. */
interface Live {
  readonly changes: Changes
  readonly ticker: Ticker
  readonly presence: Presence
  readonly views: Views
}

/** All routes over one database. */
export function createApp(
  database: Database,
  sizes: SeedSizes,
  { changes, ticker, presence, views }: Live,
): Hono {
  const knob = new Knob()
  const log = new RequestLog()
  const app = new Hono({ strict: false })

  app.onError(answerError)
  app.notFound((c) => answerError(unknownRoute(c), c))
  app.use(methodNotAllowed({ app, onMethodNotAllowed }))
  app.use(cors({ origin: localOrigin, credentials: true, exposeHeaders: ['Link'], maxAge: 600 }))

  // Before the log and the knob, so that these routes are neither logged nor slowed.
  app.route('/', controlRoutes({ knob, log, reseed: () => changes.quietly(() => seed(database, sizes)) }))
  app.route('/', liveRoutes({ changes, ticker, views }))
  app.route('/images', imageRoutes())
  app.route('/images/avatars', avatarImageRoutes(database))
  app.use(logMiddleware(log))
  app.use(knobMiddleware(knob))

  app.route('/todo', todoRoutes(database))
  app.route('/user', userRoutes(database))
  app.route('/user', avatarRoutes(database))
  app.route('/users', userProcedureRoutes(database))
  app.route('/current_user', currentUserRoutes(database))
  app.route('/profile', profileRoutes(database))
  app.route('/article', articleRoutes(database))
  app.route('/comments', commentRoutes(database))
  app.route('/issue', issueRoutes(database, presence))
  app.route('/activity', activityRoutes(database))
  app.route('/label', labelRoutes(database))
  app.route('/feed', feedRoutes(database))
  app.route('/news', pagedNewsRoutes(database))
  app.route('/api/news', newsRoutes(database))
  app.route('/api/birthdays', birthdayRoutes(database))
  app.route('/graphql', graphqlRoutes(database))
  return app
}

const localNames = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Allows pages of this machine, on any port, to read the responses. */
function localOrigin(origin: string): string | null {
  return isLocal(origin) ? origin : null
}

/** True if an origin is this machine. */
export function isLocal(origin: string): boolean {
  return URL.canParse(origin) && localNames.has(new URL(origin).hostname)
}

function answerError(error: unknown, c: Context): Response {
  const known = error instanceof RequestError ? error : fromConstraint(error)
  if (known !== undefined) return c.json(known.body, known.status)
  // The client disconnected while it sent its body, so the response reaches no one.
  if (c.req.raw.signal.aborted) return new Response(null, { status: 499 })
  console.error(error)
  const unexpected = new RequestError(
    'internal',
    `${c.req.method} ${c.req.path} failed. The server printed why.`,
  )
  return c.json(unexpected.body, unexpected.status)
}

function unknownRoute(c: Context): RequestError {
  return new RequestError('not-found', `There is no route ${c.req.method} ${c.req.path}.`)
}

function onMethodNotAllowed(c: Context, methods: string[]): Response {
  const allowed = methods.join(', ')
  c.header('Allow', allowed)
  const message = `${c.req.path} does not take ${c.req.method}. It takes ${allowed}.`
  return answerError(new RequestError('method-not-allowed', message), c)
}
