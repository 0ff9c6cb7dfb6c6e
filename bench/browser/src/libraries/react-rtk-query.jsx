import { configureStore, createSelector } from '@reduxjs/toolkit'
import { createApi, fakeBaseQuery } from '@reduxjs/toolkit/query/react'
import { Provider as ReduxProvider } from 'react-redux'
import { mostDiscussed } from '../../../src/data.mjs'
import { createAppOfLists } from '../react/app.jsx'

/** The response to the next request. */
let answer = ''

const queryFn = async () => ({ data: JSON.parse(answer) })
const selectDiscussed = createSelector([(result) => result.data], (issues) => mostDiscussed(issues))
const discussedFromResult = (result) => ({ data: selectDiscussed(result) })

export function createApp() {
  const api = createApi({
    baseQuery: fakeBaseQuery(),
    endpoints: (build) => ({
      issues: build.query({ queryFn }),
      notification: build.query({ queryFn }),
    }),
  })
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    // These two checks do nothing in production.
    middleware: (defaults) =>
      defaults({ serializableCheck: false, immutableCheck: false }).concat(api.middleware),
  })
  const update = (recipe) => store.dispatch(api.util.updateQueryData('issues', undefined, recipe))

  return createAppOfLists({
    store: {
      async ingest(text) {
        answer = text
        await store.dispatch(api.endpoints.issues.initiate())
      },
      async changeIssue(text) {
        const changes = JSON.parse(text)
        update((issues) => {
          Object.assign(
            issues.find(({ id }) => id === changes.id),
            changes,
          )
        })
      },
      async changeUser(text) {
        const user = JSON.parse(text)
        update((issues) => {
          for (const issue of issues) if (issue.user.id === user.id) issue.user = user
        })
      },
      async writeUnrelated(text) {
        await store.dispatch(api.util.upsertQueryData('notification', undefined, JSON.parse(text)))
      },
      close: () => store.dispatch(api.util.resetApiState()),
    },
    Provider: ({ children }) => <ReduxProvider store={store}>{children}</ReduxProvider>,
    useIssues: () => api.useIssuesQuery().data,
    useDiscussed: () => api.useIssuesQuery(undefined, { selectFromResult: discussedFromResult }).data,
    useIssue: (id) =>
      api.useIssuesQuery(undefined, {
        selectFromResult: ({ data }) => ({ data: data?.find((issue) => issue.id === id) }),
      }).data,
  })
}
