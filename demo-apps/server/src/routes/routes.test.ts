import { describe, expect, test } from 'vitest'
import { useServer, type Answer } from '../test-server.js'

const send = useServer()

const todo = { userId: 2, title: 'Water the ferns', completed: true }
const user = {
  name: 'Ada Byron',
  isAdmin: false,
  email: 'ada@example.org',
  website: 'https://ada.example.org',
}
const profile = { fullName: 'Ada Byron', bio: 'Counts.' }
const comment = { postId: 3, name: 'Well said', email: 'ada@example.org', body: 'I agree.' }
const newsItem = {
  title: 'Snow',
  url: 'https://news.example.org/snow',
  previewImage: 'https://news.example.org/snow.png',
}
const bare = (data: unknown) => data
const wrapped = (data: unknown) => ({ data })

describe.each([
  { path: '/todo', fields: todo, nextId: 91, patch: { completed: false }, required: ['userId'], wrap: bare },
  {
    path: '/user',
    fields: user,
    nextId: 61,
    patch: { isAdmin: true },
    required: ['name', 'email'],
    wrap: bare,
  },
  { path: '/profile', fields: profile, nextId: '61', patch: { bio: '' }, required: ['fullName'], wrap: bare },
  {
    path: '/comments',
    fields: comment,
    nextId: 121,
    patch: { body: 'I disagree.' },
    required: ['postId', 'name', 'email', 'body'],
    wrap: wrapped,
  },
  {
    path: '/api/news',
    fields: newsItem,
    nextId: '46',
    patch: { title: 'Sleet' },
    required: ['title', 'url'],
    wrap: bare,
  },
])('$path', ({ path, fields, nextId, patch, required, wrap }) => {
  test('lists records in the order of their ids, with limit and offset', async () => {
    const { status, body } = await send(`GET ${path}?limit=2&offset=1`)
    expect(status).toBe(200)
    const records = body.data ?? body
    expect(body).toEqual(wrap(records))
    expect(records.map(({ id }: { id: unknown }) => Number(id))).toEqual([2, 3])
  })

  test('creates a record with 201, then serves, replaces, patches and deletes it', async () => {
    const record = { id: nextId, ...fields }
    expect(await send(`POST ${path}`, fields)).toMatchObject({ status: 201, body: wrap(record) })
    expect(await send(`GET ${path}/${nextId}`)).toMatchObject({ status: 200, body: wrap(record) })
    const patched = { ...record, ...patch }
    expect(await send(`PATCH ${path}/${nextId}`, patch)).toMatchObject({ status: 200, body: wrap(patched) })
    expect(await send(`PUT ${path}/${nextId}`, record)).toMatchObject({ status: 200, body: wrap(record) })
    expect(await send(`DELETE ${path}/${nextId}`)).toMatchObject({ status: 204, body: undefined })
    expect(await send(`GET ${path}/${nextId}`)).toMatchObject({ status: 404 })
  })

  test('answers 404 for an id that does not exist', async () => {
    const answers = await Promise.all([
      send(`GET ${path}/999`),
      send(`PUT ${path}/999`, fields),
      send(`PATCH ${path}/999`, patch),
      send(`DELETE ${path}/999`),
    ])
    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { error: 'not-found' } })
  })

  test('answers 422 with the required fields when the body is empty', async () => {
    const { status, body } = await send(`POST ${path}`, {})
    expect(status).toBe(422)
    expect(body.fields).toEqual(required.map((field) => ({ field, message: 'is required' })))
  })

  test('answers 409 when the body has another id than the path', async () => {
    expect(await send(`PUT ${path}/1`, { ...fields, id: 2 })).toMatchObject({ status: 409 })
    expect(await send(`PATCH ${path}/1`, { id: 2 })).toMatchObject({
      status: 409,
      body: {
        error: 'conflict',
        message: `The body of PATCH ${path}/1 has the id 2. Send the id of the path, or none.`,
        fields: [{ field: 'id', message: "differs from the path's 1" }],
      },
    })
  })

  test('gives a created record an id of its own, whatever the body says', async () => {
    const { body } = await send(`POST ${path}`, { ...fields, id: 'draft-1' })
    expect(body).toEqual(wrap({ id: nextId, ...fields }))
  })
})

describe('records', () => {
  test('filters todos by user and completion', async () => {
    const { body } = await send('GET /todo?userId=1&completed=false')
    expect(body.length).toBeGreaterThan(0)
    for (const found of body) expect(found).toMatchObject({ userId: 1, completed: false })
  })

  test('filters comments by article', async () => {
    const { body } = await send('GET /comments?postId=7')
    expect(body.data.length).toBeGreaterThan(0)
    for (const found of body.data) expect(found.postId).toBe(7)
  })

  test('puts fields that PUT leaves out back to their defaults, while PATCH keeps them', async () => {
    await send('PUT /todo/1', todo)
    expect(await send('PATCH /todo/1', { userId: 3 })).toMatchObject({ body: { id: 1, ...todo, userId: 3 } })
    expect(await send('PATCH /todo/1', {})).toMatchObject({ body: { id: 1, ...todo, userId: 3 } })
    const { body } = await send('PUT /todo/1', { userId: 3 })
    expect(body).toEqual({ id: 1, userId: 3, title: '', completed: false })
  })

  test('answers 409 for an email that is taken', async () => {
    await send('POST /user', user)
    expect(await send('POST /user', user)).toMatchObject({
      status: 409,
      body: {
        error: 'conflict',
        message: 'email: "ada@example.org" is already taken. Choose another.',
        fields: [{ field: 'email', message: 'is already taken' }],
      },
    })
  })

  test('answers 422 for a reference to a record that does not exist', async () => {
    expect(await send('POST /todo', { ...todo, userId: 999 })).toMatchObject({
      status: 422,
      body: {
        error: 'invalid',
        fields: [{ field: 'userId', message: 'there is no record 999 to refer to' }],
      },
    })
  })

  test('deletes the todos of a deleted user and keeps the articles, without an author', async () => {
    const { body: articles } = await send('GET /article?limit=1')
    const author = articles[0].author
    await send(`DELETE /user/${author}`)
    expect((await send(`GET /todo?userId=${author}`)).body).toEqual([])
    expect((await send(`GET /article/${articles[0].id}`)).body.author).toBeNull()
  })

  test('makes a user a manager', async () => {
    expect((await send('GET /user/1')).body.isAdmin).toBe(false)
    const { status, body } = await send('POST /users/1/make_manager')
    expect(status).toBe(200)
    expect(body).toEqual({ ...(await send('GET /user/1')).body, isAdmin: true })
    expect(await send('POST /users/999/make_manager')).toMatchObject({ status: 404 })
  })
})

const summaryFields = ['id', 'title', 'createdAt', 'author']

describe('/article', () => {
  test('lists summaries', async () => {
    const { status, body } = await send('GET /article?limit=3')
    expect(status).toBe(200)
    expect(body).toHaveLength(3)
    for (const article of body) expect(Object.keys(article)).toEqual(summaryFields)
  })

  test('finds articles by author, and by text of the title in any case', async () => {
    const [first] = (await send('GET /article?limit=1')).body
    const byAuthor = await send(`GET /article?author=${first.author}`)
    expect(new Set(byAuthor.body.map(({ author }: { author: number }) => author))).toEqual(
      new Set([first.author]),
    )
    const byTitle = await send(`GET /article?q=${encodeURIComponent(first.title.toUpperCase())}`)
    expect(byTitle.body).toContainEqual(first)
    expect((await send('GET /article?q=%25')).body).toEqual([])
  })

  test('lists the newest first, page by page', async () => {
    const { body: first } = await send('GET /article?sort=newest&limit=2')
    expect(first.map(({ id }: { id: number }) => id)).toEqual([50, 49])
    const { body: second } = await send('GET /article?sort=newest&limit=2&cursor=49')
    expect(second.map(({ id }: { id: number }) => id)).toEqual([48, 47])
    const { body: oldest } = await send('GET /article?limit=2&cursor=49')
    expect(oldest.map(({ id }: { id: number }) => id)).toEqual([50])
  })

  test('serves the full article with its meta and summaries of related articles', async () => {
    const { status, body } = await send('GET /article/1')
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual([
      'id',
      'title',
      'content',
      'createdAt',
      'author',
      'contributors',
      'meta',
    ])
    expect(new Date(body.createdAt).toISOString()).toBe(body.createdAt)
    expect(body.meta).toEqual({
      id: 1,
      viewCount: expect.any(Number),
      likeCount: expect.any(Number),
      relatedArticles: expect.any(Array),
    })
    expect(body.meta.relatedArticles.map((related: object) => Object.keys(related))).toEqual([
      summaryFields,
      summaryFields,
      summaryFields,
    ])
  })

  test('serves users in the place of ids when asked to expand them', async () => {
    await send('PATCH /article/1', { author: 5, contributors: [7, 6] })
    const [five, six, seven] = await Promise.all(
      [5, 6, 7].map(async (id) => (await send(`GET /user/${id}`)).body),
    )
    const expanded = await send('GET /article/1?expand=author,contributors')
    expect(expanded.body).toMatchObject({ author: five, contributors: [seven, six] })
    expect((await send('GET /article/1?expand=author')).body).toMatchObject({
      author: five,
      contributors: [7, 6],
    })
    expect((await send('GET /article?limit=1&expand=author')).body).toMatchObject([{ id: 1, author: five }])
  })

  test('leaves an absent author null when expanding', async () => {
    expect((await send('GET /article/25?expand=author')).body.author).toBeNull()
  })

  test('creates, replaces, patches and deletes an article', async () => {
    const fields = { title: 'On ferns', content: 'Green.', author: 4, contributors: [2, 9] }
    const created = await send('POST /article', fields)
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      ...fields,
      id: 51,
      createdAt: expect.any(String),
      meta: { id: 51, viewCount: 0, likeCount: 0, relatedArticles: [] },
    })
    const patched = await send('PATCH /article/51', { contributors: [9] })
    expect(patched.body).toEqual({ ...created.body, contributors: [9] })
    const replaced = await send('PUT /article/51', { title: 'On moss', content: 'Greener.' })
    expect(replaced.body).toEqual({
      ...created.body,
      title: 'On moss',
      content: 'Greener.',
      author: null,
      contributors: [],
    })
    expect(await send('DELETE /article/51')).toMatchObject({ status: 200, body: { id: 51 } })
    expect(await send('DELETE /article/51')).toMatchObject({ status: 404 })
  })

  test('restores an article that was deleted, with its id, its date and its comments', async () => {
    const { body: article } = await send('GET /article/3')
    const { body: comments } = await send('GET /comments?postId=3')
    expect(comments.data.length).toBeGreaterThan(0)
    expect(await send('POST /article/3/restore')).toMatchObject({ status: 200, body: article })
    await send('DELETE /article/3')
    expect(await send('GET /article/3')).toMatchObject({ status: 404 })
    expect(await send('POST /article/3/restore')).toMatchObject({ status: 200, body: article })
    expect((await send('GET /article/3')).body).toEqual(article)
    expect((await send('GET /comments?postId=3')).body).toEqual(comments)
    expect(await send('POST /article/999/restore')).toMatchObject({ status: 404 })
  })

  test('takes back an article as it was read, leaving its createdAt and meta to the server', async () => {
    const { body: article } = await send('GET /article/1')
    const sent = { ...article, title: 'Renamed', createdAt: '1970-01-01T00:00:00.000Z', meta: null }
    expect(await send('PUT /article/1', sent)).toMatchObject({
      status: 200,
      body: { ...article, title: 'Renamed' },
    })
  })

  test('changes nothing when a part of the body cannot be applied', async () => {
    const { body: before } = await send('GET /article/1')
    const unknownUser = await send('PATCH /article/1', { title: 'Half', contributors: [1, 999] })
    expect(unknownUser).toMatchObject({ status: 422, body: { fields: [{ field: 'contributors' }] } })
    const wrongQuery = await send('PATCH /article/1?expand=meta', { title: 'Half' })
    expect(wrongQuery).toMatchObject({ status: 400, body: { fields: [{ field: 'expand' }] } })
    expect((await send('GET /article/1')).body).toEqual(before)
  })

  test('answers 422 for a contributor named twice', async () => {
    expect(await send('PATCH /article/1', { contributors: [2, 2] })).toMatchObject({
      status: 422,
      body: { fields: [{ field: 'contributors', message: 'must not name a user twice' }] },
    })
  })

  test('links to the next page in the link header, until the last page', async () => {
    const pages = await followLinks('/article/paged?limit=20')
    expect(pages.map(({ body }) => body.length)).toEqual([20, 20, 10])
    const ids = pages.flatMap(({ body }) => body.map(({ id }: { id: number }) => id))
    expect(ids).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
  })

  test('takes an empty cursor as the first page', async () => {
    const [first, empty] = await Promise.all([send('GET /article/paged'), send('GET /article/paged?cursor=')])
    expect(empty.body).toEqual(first.body)
  })
})

describe('/feed', () => {
  test('mixes links and posts, each with its own fields', async () => {
    const { body } = await send('GET /feed?limit=45')
    const types = new Map(body.results.map((item: { type: string }) => [item.type, Object.keys(item)]))
    expect(types).toEqual(
      new Map([
        ['link', ['id', 'type', 'url', 'title']],
        ['post', ['id', 'type', 'content']],
      ]),
    )
  })

  test('continues from the cursor, newest first, and ends with an empty one', async () => {
    const first = (await send('GET /feed?limit=20')).body
    const second = (await send(`GET /feed?limit=20&cursor=${first.cursor}`)).body
    const third = (await send(`GET /feed?limit=20&cursor=${second.cursor}`)).body
    const ids = [first, second, third].flatMap(({ results }) => results.map(({ id }: { id: number }) => id))
    expect(ids).toEqual(Array.from({ length: 45 }, (_, index) => 45 - index))
    expect([first, second, third].map(({ cursor }) => cursor)).toEqual(['26', '6', ''])
  })

  test('answers 400 for a cursor it did not give', async () => {
    expect(await send('GET /feed?cursor=next')).toMatchObject({
      status: 400,
      body: { fields: [{ field: 'cursor' }] },
    })
  })
})

describe('/news', () => {
  test('gives the tokens of the neighbouring pages, null where there is none', async () => {
    const pages = await Promise.all(
      ['', '?page=', '?page=2', '?page=3'].map((query) => send(`GET /news${query}`)),
    )
    expect(pages.map(({ body: { results, ...tokens } }) => [results.length, tokens])).toEqual([
      [20, { nextPage: '2', prevPage: null }],
      [20, { nextPage: '2', prevPage: null }],
      [20, { nextPage: '3', prevPage: '1' }],
      [5, { nextPage: null, prevPage: '2' }],
    ])
  })

  test('shows pictures that this server draws', async () => {
    const { body } = await send('GET /news?limit=1')
    const response = await fetch(body.results[0].previewImage)
    expect(response.headers.get('content-type')).toBe('image/svg+xml')
    expect(await response.text()).toMatch(/^<svg /)
  })
})

describe('/api/birthdays/upcoming/', () => {
  test('gives the birthdays of the next seven and thirty days, across the end of the year', async () => {
    const { status, body } = await send('GET /api/birthdays/upcoming/?date=2025-12-28')
    expect(status).toBe(200)
    expect(dates(body.withinSevenDays)).toEqual([
      '2025-12-28',
      '2025-12-30',
      '2026-01-01',
      '2026-01-02',
      '2026-01-04',
    ])
    expect(body.withinThirtyDays.slice(0, 5)).toEqual(body.withinSevenDays)
    expect(dates(body.withinThirtyDays).at(-1)).toBe('2026-01-26')
    expect(Object.keys(body.withinSevenDays[0])).toEqual(['id', 'name', 'image', 'source', 'user', 'date'])
  })

  test('counts from today without a date, by GET and by POST', async () => {
    const answers = await Promise.all([
      send('GET /api/birthdays/upcoming'),
      send('POST /api/birthdays/upcoming/'),
    ])
    for (const { body } of answers) expect(body.withinSevenDays.length).toBeGreaterThan(0)
  })

  test('answers 400 for a day that does not exist', async () => {
    expect(await send('GET /api/birthdays/upcoming?date=2025-02-30')).toMatchObject({
      status: 400,
      body: { fields: [{ field: 'date', message: 'must be a date such as 2026-03-01' }] },
    })
  })
})

describe('/current_user/', () => {
  test('serves the user of the token, by GET and by POST', async () => {
    const { body: expected } = await send('GET /user/7')
    const headers = { 'Access-Token': 'user-7' }
    expect(await send('GET /current_user/', undefined, headers)).toMatchObject({
      status: 200,
      body: expected,
    })
    expect(await send('POST /current_user/', undefined, headers)).toMatchObject({
      status: 200,
      body: expected,
    })
  })

  test.each([undefined, 'user-999', 'user-x', 'nonsense'])('answers 401 with the token %s', async (token) => {
    const answer = await send(
      'GET /current_user/',
      undefined,
      token === undefined ? {} : { 'Access-Token': token },
    )
    expect(answer).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
    expect(answer.headers.get('www-authenticate')).toBe('Access-Token')
  })
})

async function followLinks(path: string): Promise<Answer[]> {
  const answer = await send(`GET ${path}`)
  const link = answer.headers.get('link')
  if (link === null) return [answer]
  const [, next = ''] = /^<(.*)>; rel="next"$/.exec(link) ?? []
  const { pathname, search } = new URL(next)
  return [answer, ...(await followLinks(pathname + search))]
}

function dates(birthdays: { date: string }[]): string[] {
  return birthdays.map(({ date }) => date)
}
