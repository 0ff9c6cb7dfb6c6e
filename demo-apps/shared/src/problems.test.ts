import { GQLEndpoint } from '@selfsame/core/graphql'
import { NetworkError } from '@selfsame/core/rest'
import { expect, test } from 'vitest'
import { problemOf } from './application/problems.js'

/** The error of a GraphQL response. */
function refused(status: number, extensions?: object): Promise<Error> {
  const gql = new GQLEndpoint('https://api.example.com/graphql', {
    fetchResponse: async () =>
      Response.json({ data: null, errors: [{ message: 'SELECT failed at line 5', extensions }] }, { status }),
  })
  return gql
    .query('{ article { id } }')()
    .then(
      () => expect.fail('The response has errors.'),
      (error: Error) => error,
    )
}

// A GraphQL server answers most errors with status 200.
test.each([
  [200, { code: 'not-found' }, 'Not found', 'It may have been deleted.', false],
  [200, { code: 'unauthorized' }, 'You are not signed in', 'Sign in and try again.', false],
  [200, { code: 'conflict' }, 'This cannot be saved', 'Correct your input and try again.', false],
  [
    200,
    { code: 'invalid', fields: [{ field: 'input.title', message: 'must not be empty' }] },
    'This cannot be saved',
    'The title must not be empty.',
    false,
  ],
  [200, { code: 'internal' }, 'The server has a problem', 'Wait a moment and try again.', true],
  [200, undefined, 'The server has a problem', 'Wait a moment and try again.', true],
  [500, undefined, 'The server has a problem', 'Wait a moment and try again.', true],
  // A document or variables that do not fit the schema: the page is older than the server.
  [400, undefined, 'This page is out of date', 'Reload it. You will lose unsaved changes.', false],
] as const)('a GraphQL error of status %i with %o is told in words', async (...row) => {
  const [status, extensions, title, advice, isPassing] = row
  expect(problemOf(await refused(status, extensions))).toEqual({ title, advice, isPassing })
})

test('an error of REST is told in the same words', () => {
  const response = new Response(null, { status: 422 })
  const body = { fields: [{ field: 'title', message: 'must not be empty' }] }
  const error = new NetworkError('failed', { status: 422, response, body })
  expect(problemOf(error)).toMatchObject({
    title: 'This cannot be saved',
    advice: 'The title must not be empty.',
  })
  expect(problemOf(new TypeError('fetch failed')).isPassing).toBe(true)
})
