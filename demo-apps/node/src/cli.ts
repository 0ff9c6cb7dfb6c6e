import { writeFile } from 'node:fs/promises'
import { Controller, schema } from '@selfsame/core'
import { connect } from '@selfsame/core/live'
import { fetchWithProgress } from '@selfsame/core/media'
import { NetworkError } from '@selfsame/core/rest'
import { Article, createApi, createLive } from '@selfsame/demo-shared'
import type { Api, ArticleSummary } from '@selfsame/demo-shared'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { WebSocket } from 'ws'
import { changesBetween } from './changes.js'

/** The exit codes of the process. */
export const exitCodes = { success: 0, failure: 1, usage: 2, notFound: 3, interrupted: 130 } as const

/** The outputs of the program, and the signal that ends it early. */
export interface Surroundings {
  /** Writes a result. */
  readonly out: (text: string) => void
  /** Writes messages and progress. */
  readonly err: (text: string) => void
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal
  /** If true, progress is shown, as on a terminal. */
  readonly showsProgress: boolean
}

interface ListOptions {
  readonly author?: number
  readonly query?: string
  readonly limit: number
}

/** The tools of a command. */
interface Tools extends Surroundings {
  readonly url: string
  readonly api: Api
  readonly controller: Controller
  readonly isJson: boolean
}

/**
 * Runs one command of the program.
 *
 * @param args - without the names of node and the script
 * @returns the exit code
 */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const controller = new Controller()
  const program = createProgram(controller, surroundings)
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCodes.success
  } catch (error) {
    return report(error, surroundings, program.opts<{ url: string }>().url)
  } finally {
    // Closes connections and timers, so that the process can exit.
    controller.dispose()
  }
}

function createProgram(controller: Controller, surroundings: Surroundings): Command {
  const { out, err } = surroundings
  const program = new Command('articles')
    .description('Reads and edits the articles of the demo server.')
    .option('--url <url>', 'the address of the server', 'http://127.0.0.1:4400')
    .option('--json', 'write JSON, one value a line')
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: err })
    .showHelpAfterError()
  const tools = (): Tools => {
    const { url, json = false } = program.opts<{ url: string; json?: boolean }>()
    return { ...surroundings, controller, url, api: createApi({ urlPrefix: url }), isJson: json }
  }

  withFilters(program.command('list').description('list articles, the newest first')).action(
    (options: ListOptions) => list(tools(), options),
  )
  program
    .command('show')
    .description('show an article')
    .argument('<id>', 'of the article', toNumber)
    .action((id: number) => show(tools(), id))
  program
    .command('edit')
    .description('change an article, and show it')
    .argument('<id>', 'of the article', toNumber)
    .option('--title <text>')
    .option('--content <text>')
    .action((id: number, body: Partial<Pick<Article, 'title' | 'content'>>, command: Command) => {
      if (Object.keys(body).length === 0) command.error('error: give --title, --content or both')
      return edit(tools(), id, body)
    })
  withFilters(program.command('watch').description('write each change of a list, until Ctrl+C')).action(
    (options: ListOptions) => watch(tools(), options),
  )
  program
    .command('export <file>')
    .description('save all articles to a file of JSON')
    .action((file: string) => save(tools(), file))
  return program
}

function withFilters(command: Command): Command {
  return command
    .option('--author <id>', 'only articles of this user', toNumber)
    .option('--query <text>', 'only articles with this text in their title')
    .option('--limit <count>', 'at most so many', toNumber, 20)
}

async function list(tools: Tools, options: ListOptions): Promise<void> {
  const articles = await tools.controller.fetch(tools.api.articleResource.getList, toParams(options))
  for (const article of articles) write(tools, article)
}

async function show(tools: Tools, id: number): Promise<void> {
  write(tools, await tools.controller.fetch(tools.api.articleResource.get, { id }))
}

async function edit(
  tools: Tools,
  id: number,
  body: Partial<Pick<Article, 'title' | 'content'>>,
): Promise<void> {
  const { api, controller } = tools
  await controller.fetch(api.articleResource.partialUpdate, { id }, body)
  // The mutation's response contains the record, so this sends no request.
  write(tools, await controller.fetchIfStale(api.articleResource.get, { id }))
}

/** Watches a list by messages of the server. Unchanged data is the same object, so `===` finds the changes. */
async function watch(tools: Tools, options: ListOptions): Promise<void> {
  const { api, controller, err, isJson, out, signal, url } = tools
  // Node 20 has neither EventSource nor WebSocket.
  const { socket } = createLive(url, { WebSocket })
  const { articleResource } = api
  const getList = articleResource.getList.extend({
    stream: socket.stream({
      topic: () => 'article',
      subscribe: () => ({ type: 'subscribe', channel: 'article' }),
      select: ({ record }) => record,
      schemas: {
        created: articleResource.getList.schema.unshift,
        updated: Article,
        deleted: new schema.Delete(Article),
      },
    }),
  })
  const params = toParams(options)
  let shown: readonly ArticleSummary[] = await controller.fetch(getList, params)
  const unsubscribe = controller.subscribe(getList, params, ({ data = shown }) => {
    for (const { kind, article } of changesBetween(shown, data)) {
      out(isJson ? `${JSON.stringify({ kind, article })}\n` : `${kind} ${lineOf(article)}\n`)
    }
    shown = data
  })
  const disconnect = connect(controller, getList, params)
  err(`Watching ${shown.length} articles. Ctrl+C ends it.\n`)
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  disconnect()
  unsubscribe()
}

async function save(tools: Tools, file: string): Promise<void> {
  const { api, controller, err, showsProgress, signal } = tools
  const getAll = api.articleResource.getList.extend({ fetchResponse: fetchWithProgress, signal })
  const params = { limit: '10000' }
  const unsubscribe = controller.subscribe(getAll, params, ({ progress }) => {
    if (progress === undefined || !showsProgress) return
    const of = progress.total === undefined ? '' : ` of ${kilobytes(progress.total)}`
    err(`\r${kilobytes(progress.loaded)}${of}`)
  })
  const articles = await controller.fetch(getAll, params)
  unsubscribe()
  await writeFile(file, `${JSON.stringify(articles)}\n`)
  err(`${showsProgress ? '\r' : ''}Saved ${articles.length} articles to ${file}\n`)
}

function toParams({ author, query, limit }: ListOptions) {
  return {
    sort: 'newest' as const,
    limit: String(limit),
    ...(author !== undefined && { author }),
    ...(query !== undefined && { q: query }),
  }
}

function write({ isJson, out }: Tools, article: ArticleSummary | Article): void {
  if (isJson) out(`${JSON.stringify(article)}\n`)
  else out(`${lineOf(article)}\n${'content' in article ? `\n${article.content}\n` : ''}`)
}

function lineOf({ id, title, author }: ArticleSummary): string {
  return `${id}  ${title}${author === null ? '' : `  (${author.name})`}`
}

function toNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new InvalidArgumentError(`"${text}" is not a whole number.`)
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(0)} kB`
}

function report(error: unknown, { err, signal }: Surroundings, url: string): number {
  if (signal.aborted) return exitCodes.interrupted
  if (error instanceof CommanderError) {
    // Commander has already written the message.
    return error.exitCode === 0 ? exitCodes.success : exitCodes.usage
  }
  err(`${messageOf(error, url)}\n`)
  return error instanceof NetworkError && error.status === 404 ? exitCodes.notFound : exitCodes.failure
}

function messageOf(error: unknown, url: string): string {
  if (error instanceof NetworkError && error.status === undefined) {
    return `No response from ${url}.\nStart the server with \`npm run demo\`, or name another with --url.`
  }
  return error instanceof Error ? error.message : String(error)
}
