import { mostDiscussed } from '../../../src/data.mjs'

/** What the next request is answered with. */
let answer = ''

const fetchAnswer = async () => JSON.parse(answer)

export const issuesQuery = { queryKey: ['issues'], queryFn: fetchAnswer, staleTime: Infinity }

/** The function is the same in each render, so that `select` runs only when the list has changed. */
export const discussedQuery = { ...issuesQuery, select: mostDiscussed }

/** A detail begins with what the list has of it. */
export const issueQuery = (client, id) => ({
  queryKey: ['issue', id],
  queryFn: fetchAnswer,
  staleTime: Infinity,
  initialData: () => client.getQueryData(['issues'])?.find((issue) => issue.id === id),
})

/** Answers of mutations are written into the list and into the detail, as the documentation has it. */
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
