import { useState } from 'react'
import useSWR, { SWRConfig, useSWRConfig } from 'swr'
import useSWRMutation from 'swr/mutation'
import { AddForm, Details, Rows } from './parts.js'
import { request } from './request.js'

interface Todo {
  id: number
  title: string
  done: boolean
}
interface FullTodo extends Todo {
  notes: string
}

function TodoList({ onOpen }: { onOpen: (id: number) => void }) {
  const { data, error } = useSWR<Todo[], Error>('/todo', {
    refreshInterval: 10_000,
  })
  if (error) return <p role="alert">{error.message}</p>
  if (!data) return <p>Loading…</p>
  return <Rows todos={data} onOpen={onOpen} />
}

function TodoDetails({ id }: { id: number }) {
  const { mutate } = useSWRConfig()
  const { data, error } = useSWR<FullTodo, Error>(`/todo/${id}`)
  if (error) return <p role="alert">{error.message}</p>
  if (!data) return <p>Loading…</p>
  const toggle = async () => {
    const body = JSON.stringify({ done: !data.done })
    const todo = await request<FullTodo>(`/todo/${id}`, {
      method: 'PATCH',
      body,
    })
    await mutate(`/todo/${id}`, todo, { revalidate: false })
    await mutate('/todo')
  }
  return <Details todo={data} onToggle={toggle} />
}

function AddTodo() {
  const { trigger, error } = useSWRMutation<FullTodo, Error, string, string>(
    '/todo',
    (path: string, { arg: title }: { arg: string }) =>
      request<FullTodo>(path, {
        method: 'POST',
        body: JSON.stringify({ title }),
      }),
  )
  const create = (title: string) =>
    trigger<Todo[]>(title, {
      optimisticData: (todos = []) => [
        { id: -Date.now(), title, done: false },
        ...todos,
      ],
      populateCache: (created, todos = []) => [created, ...todos],
      rollbackOnError: true,
      revalidate: false,
      throwOnError: false,
    })
  return <AddForm onAdd={create} error={error} />
}

export function App() {
  const [id, setId] = useState<number>()
  return (
    <SWRConfig value={{ fetcher: request }}>
      <AddTodo />
      <TodoList onOpen={setId} />
      {id !== undefined && <TodoDetails id={id} />}
    </SWRConfig>
  )
}
