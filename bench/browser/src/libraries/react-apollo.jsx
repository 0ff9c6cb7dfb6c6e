import { ApolloClient, ApolloLink, InMemoryCache, gql } from '@apollo/client'
import { ApolloProvider, useFragment, useQuery } from '@apollo/client/react'
import { useMemo } from 'react'
import { mostDiscussed } from '../../../src/data.mjs'
import { createAppOfLists } from '../react/app.jsx'

const issueFields = gql`
  fragment IssueFields on Issue {
    id
    number
    title
    state
    body
    comments
    priority
    locked
    createdAt
    updatedAt
    user {
      id
      login
      name
      avatarUrl
    }
    labels {
      id
      name
      color
    }
  }
`
const issuesQuery = gql`
  query Issues {
    issues {
      ...IssueFields
    }
  }
  ${issueFields}
`
const userFields = gql`
  fragment UserFields on User {
    id
    login
    name
    avatarUrl
  }
`
const notificationQuery = gql`
  query Notification {
    notification {
      id
      count
    }
  }
`

/** A response in GraphQL's format: each record has a `__typename`. */
export const hasTypenames = true

const useIssues = () => useQuery(issuesQuery).data.issues

export function createApp() {
  const cache = new InMemoryCache()
  const client = new ApolloClient({ cache, link: ApolloLink.empty() })
  return createAppOfLists({
    store: {
      async ingest(text) {
        cache.writeQuery({ query: issuesQuery, data: { issues: JSON.parse(text) } })
      },
      async changeIssue(text) {
        const issue = JSON.parse(text)
        const id = cache.identify(issue)
        if ('user' in issue)
          cache.writeFragment({ id, fragment: issueFields, fragmentName: 'IssueFields', data: issue })
        else
          cache.modify({
            id,
            fields: Object.fromEntries(Object.entries(issue).map(([name, value]) => [name, () => value])),
          })
      },
      async changeUser(text) {
        const user = JSON.parse(text)
        cache.writeFragment({ id: cache.identify(user), fragment: userFields, data: user })
      },
      async writeUnrelated(text) {
        const notification = JSON.parse(text)
        cache.writeQuery({ query: notificationQuery, data: { notification } })
      },
      close: () => client.stop(),
    },
    Provider: ({ children }) => <ApolloProvider client={client}>{children}</ApolloProvider>,
    useIssues,
    useDiscussed() {
      const issues = useIssues()
      return useMemo(() => mostDiscussed(issues), [issues])
    },
    useIssue: (id) =>
      useFragment({ fragment: issueFields, fragmentName: 'IssueFields', from: { __typename: 'Issue', id } })
        .data,
  })
}
