import { Resource } from '@selfsame/core/legacy'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import type { RestOptions } from '@selfsame/core/rest'
import { baseUrl } from './server.js'
import type { Server } from './server.js'

/** Classes of generations 4.5 and 5.1, and a new resource of one of them. All send to the scripted server. */
export type LegacyApi = ReturnType<typeof createLegacyApi>

export function createLegacyApi(server: Server) {
  const transport = server.fetch as unknown as typeof fetch

  abstract class Scripted extends Resource {
    static override fetchResponse(
      urlOrMethod: string,
      initOrUrl?: object | string,
      body?: object,
      context?: object,
    ) {
      return typeof initOrUrl === 'string'
        ? super.fetchResponse(urlOrMethod, initOrUrl, body, { ...context, transport })
        : super.fetchResponse(urlOrMethod, { ...initOrUrl, transport })
    }
  }

  class User extends Scripted {
    id = 0
    name = ''
    static override key = 'OldUser'
    static override urlRoot = `${baseUrl}/user`
  }

  class Todo extends Scripted {
    id = 0
    userId = 0
    title = 'untitled'
    completed = false
    static override key = 'OldTodo'
    static override urlRoot = `${baseUrl}/todo`
  }

  class Article extends Scripted {
    id = 0
    title = ''
    createdAt: Date | undefined
    author: User | number | string | null = null
    contributors: readonly (User | number | string)[] = []
    static override key = 'OldArticle'
    static override urlRoot = `${baseUrl}/article`
    static override schema = { author: User, contributors: [User], createdAt: Date }
  }

  /** A list in a wrapper. Its shape and endpoint are new objects in each call. */
  class PagedTodo extends Todo {
    static override listShape<T extends typeof Resource>(this: T) {
      return {
        ...super.listShape(),
        fetch: async (params: Readonly<object>) => ({
          results: (await this.fetch('get', this.listUrl(params))) as unknown,
        }),
        schema: { results: [this.asSchema()], nextPage: '', prevPage: '' },
      }
    }
    static override list<T extends typeof Resource>(this: T) {
      return super.list().extend({
        schema: { results: [this], nextPage: '', prevPage: '' },
        process: (results: unknown) => ({ results }),
      })
    }
  }

  class ScriptedEndpoint<const Options extends RestOptions> extends RestEndpoint<Options> {
    override fetchResponse(url: string, init: RequestInit): Promise<Response> {
      return server.fetch(url, init)
    }
  }
  const todos = createResource({
    urlPrefix: baseUrl,
    path: '/todo/:id',
    schema: Todo,
    Endpoint: ScriptedEndpoint,
  })
  return { Article, PagedTodo, Todo, User, todos }
}
