import { Resource } from '@selfsame/core/legacy'

export class User extends Resource {
  id = 0
  name = ''
  static override key = 'User'
  static override urlRoot = 'https://api.example.com/user'

  static currentUserShape<T extends typeof Resource>(this: T) {
    return {
      ...this.detailShape(),
      schema: this.asSchema(),
      getFetchKey: () => '/current_user/',
      fetch: () => this.fetch('post', 'https://api.example.com/current_user/'),
    }
  }
  static currentUser<T extends typeof Resource>(this: T) {
    return this.detail().extend({
      url: () => 'https://api.example.com/current_user/',
    })
  }
  static makeManager<T extends typeof Resource>(this: T) {
    return this.detail().extend({
      method: 'POST',
      url: ({ id }: { id: number }) =>
        `https://api.example.com/users/${id}/make_manager`,
    })
  }
}

export class Article extends Resource {
  id = 0
  title = ''
  author: User | number | null = null
  static override key = 'Article'
  static override urlRoot = 'https://api.example.com/article'
  static override schema = { author: User }

  // 4.5: tokens in headers
  static override listShape<T extends typeof Resource>(this: T) {
    return {
      ...super.listShape(),
      fetch: async (params: Readonly<object>) => {
        const response = await this.fetchResponse('get', this.listUrl(params))
        const link = response.headers.get('link')
        const results: unknown = await response.json().catch((error: Error) => {
          throw Object.assign(error, { status: 400 })
        })
        return { link, results }
      },
      schema: { results: [this.asSchema()], link: '' },
    }
  }

  // 5.1: tokens in the body
  static override list<T extends typeof Resource>(this: T) {
    return super
      .list()
      .extend({ schema: { results: [this], nextPage: '', prevPage: '' } })
  }
}

export class Comment extends Resource {
  id = 0
  body = ''
  static override key = 'Comment'
  static override urlRoot = 'https://api.example.com/comments'

  static override getEndpointExtra() {
    return { ...super.getEndpointExtra(), dataExpiryLength: 10_000 }
  }
  static override detail<T extends typeof Resource>(this: T) {
    return super.detail().extend({ schema: { data: this } })
  }
  static override async fetch(...request: Parameters<typeof Resource.fetch>) {
    const answer: unknown = await super.fetch(...request)
    return answer
  }
}
