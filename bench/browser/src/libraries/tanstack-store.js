import { mostDiscussed } from '../../../src/data.mjs'

/** The response to the next request. */
let answer = ''

const fetchAnswer = async () => JSON.parse(answer)

export const issuesQuery = { queryKey: ['issues'], queryFn: fetchAnswer, staleTime: Infinity }

/** A stable function, so that `select` runs only when the list has changed. */
export const discussedQuery = { ...issuesQuery, select: mostDiscussed }

/** The query of an issue starts with the list's data. */
export const issueQuery = (client, id) => ({
  queryKey: ['issue', id],
  queryFn: fetchAnswer,
  staleTime: Infinity,
  initialData: () => client.getQueryData(['issues'])?.find((issue) => issue.id === id),
})

/** Writes responses of mutations into the queries of the list and of the issue, as documented. */
export function createStore(client) {
  return {
    async ingest(text) {
      answer = text
      await client.fetchQuery(issuesQuery)
    },
    async changeIssue(text) {
      const changes = JSON.parse(text)
      client.setQueryData(['issues'], (issues) =>
        issues?.map((issue) => (issue.id === changes.id ? { ...issue, ...changes } : issue)),
      )
      client.setQueryData(['issue', changes.id], (issue) => issue && { ...issue, ...changes })
    },
    async changeUser(text) {
      const user = JSON.parse(text)
      const withUser = (issue) => (issue?.user.id === user.id ? { ...issue, user } : issue)
      client.setQueryData(['issues'], (issues) => issues?.map(withUser))
      client.setQueriesData({ queryKey: ['issue'] }, withUser)
    },
    async writeUnrelated(text) {
      client.setQueryData(['notification'], JSON.parse(text))
    },
    close: () => client.clear(),
  }
}
