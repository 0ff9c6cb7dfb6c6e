import { gql } from 'graphql-tag'

/** The queries for GraphQL libraries. */
const fields = `
  __typename id number title state body comments priority locked createdAt updatedAt
  user { __typename id login name avatarUrl }
  labels { __typename id name color }
`

export const issuesQuery = gql(`query Issues { issues { ${fields} } }`)
export const issueQuery = gql(`query Issue($id: Int!) { issue(id: $id) { ${fields} } }`)
export const updateIssueMutation = gql(`mutation UpdateIssue { updateIssue { ${fields} } }`)
export const updateUserMutation = gql(
  `mutation UpdateUser { updateUser { __typename id login name avatarUrl } }`,
)
export const issueFragment = gql(`fragment IssueFields on Issue { ${fields} }`)
export const notificationQuery = gql(`query Notification { notification { __typename id count } }`)
