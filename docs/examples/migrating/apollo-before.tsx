import { ApolloClient, HttpLink, InMemoryCache, gql } from '@apollo/client'
import type { TypedDocumentNode } from '@apollo/client'
import { ApolloProvider, useMutation, useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { AddForm, Details, Rows } from './parts.js'

interface Todo {
  __typename: 'Todo'
  id: string
  title: string
  done: boolean
}
interface FullTodo extends Todo {
  notes: string
}

const GET_TODOS: TypedDocumentNode<
  { todos: Todo[] },
  Record<string, never>
> = gql`
  query Todos {
    todos {
      id
      title
      done
    }
  }
`
const GET_TODO: TypedDocumentNode<{ todo: FullTodo }, { id: string }> = gql`
  query Todo($id: ID!) {
    todo(id: $id) {
      id
      title
      done
      notes
    }
  }
`
const CREATE_TODO: TypedDocumentNode<{ createTodo: Todo }, { title: string }> =
  gql`
    mutation CreateTodo($title: String!) {
      createTodo(title: $title) {
        id
        title
        done
      }
    }
  `
const SET_DONE: TypedDocumentNode<
  { setDone: Todo },
  { id: string; done: boolean }
> = gql`
  mutation SetDone($id: ID!, $done: Boolean!) {
    setDone(id: $id, done: $done) {
      id
      title
      done
    }
  }
`

function TodoList({ onOpen }: { onOpen: (id: string) => void }) {
  const { data, error } = useQuery(GET_TODOS, { pollInterval: 10_000 })
  if (error) return <p role="alert">{error.message}</p>
  if (!data) return <p>Loading…</p>
  return <Rows todos={data.todos} onOpen={onOpen} />
}

function TodoDetails({ id }: { id: string }) {
  const { data, error } = useQuery(GET_TODO, { variables: { id } })
  const [setDone] = useMutation(SET_DONE)
  if (error) return <p role="alert">{error.message}</p>
  if (!data) return <p>Loading…</p>
  const { todo } = data
  return (
    <Details
      todo={todo}
      onToggle={() => setDone({ variables: { id, done: !todo.done } })}
    />
  )
}

function AddTodo() {
  const [create, { error }] = useMutation(CREATE_TODO, {
    optimisticResponse: ({ title }) => ({
      createTodo: {
        __typename: 'Todo' as const,
        id: `draft-${Date.now()}`,
        title,
        done: false,
      },
    }),
    update: (cache, { data }) => {
      if (!data) return
      cache.updateQuery(
        { query: GET_TODOS },
        (old) => old && { todos: [data.createTodo, ...old.todos] },
      )
    },
    // The error is shown.
    onError: () => {},
  })
  return (
    <AddForm
      onAdd={(title) => create({ variables: { title } })}
      error={error}
    />
  )
}

const client = new ApolloClient({
  link: new HttpLink({ uri: 'https://api.example.com/graphql' }),
  cache: new InMemoryCache(),
})

export function App() {
  const [id, setId] = useState<string>()
  return (
    <ApolloProvider client={client}>
      <AddTodo />
      <TodoList onOpen={setId} />
      {id !== undefined && <TodoDetails id={id} />}
    </ApolloProvider>
  )
}
