import {
  QueryClient,
  QueryClientProvider,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { InfiniteData } from '@tanstack/react-query'
import { useState } from 'react'
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
interface Page {
  results: Todo[]
  next: string
}
type Pages = InfiniteData<Page, string>

function TodoList({ onOpen }: { onOpen: (id: number) => void }) {
  const { data, isPending, error, hasNextPage, fetchNextPage } =
    useInfiniteQuery({
      queryKey: ['todos'],
      queryFn: ({ pageParam, signal }) =>
        request<Page>(`/todo?limit=2${pageParam}`, { signal }),
      initialPageParam: '',
      getNextPageParam: ({ next }) =>
        next === '' ? undefined : `&cursor=${next}`,
    })
  if (isPending) return <p>Loading…</p>
  if (error) return <p role="alert">{error.message}</p>
  return (
    <>
      <Rows
        todos={data.pages.flatMap(({ results }) => results)}
        onOpen={onOpen}
      />
      {hasNextPage && <button onClick={() => fetchNextPage()}>More</button>}
    </>
  )
}

function TodoDetails({ id }: { id: number }) {
  const queryClient = useQueryClient()
  const { data, isPending, error } = useQuery({
    queryKey: ['todo', id],
    queryFn: ({ signal }) => request<FullTodo>(`/todo/${id}`, { signal }),
  })
  const { mutate: setDone } = useMutation({
    mutationFn: (done: boolean) =>
      request<FullTodo>(`/todo/${id}`, {
        method: 'PATCH',
        body: JSON.stringify({ done }),
      }),
    onSuccess: (todo) => {
      queryClient.setQueryData(['todo', id], todo)
      return queryClient.invalidateQueries({ queryKey: ['todos'] })
    },
  })
  if (isPending) return <p>Loading…</p>
  if (error) return <p role="alert">{error.message}</p>
  return <Details todo={data} onToggle={() => setDone(!data.done)} />
}

function AddTodo() {
  const queryClient = useQueryClient()
  const { mutate: create, error } = useMutation({
    mutationFn: (title: string) =>
      request<FullTodo>('/todo', {
        method: 'POST',
        body: JSON.stringify({ title }),
      }),
    onMutate: async (title) => {
      await queryClient.cancelQueries({ queryKey: ['todos'] })
      const before = queryClient.getQueryData<Pages>(['todos'])
      const draft = { id: -Date.now(), title, done: false }
      queryClient.setQueryData<Pages>(
        ['todos'],
        (pages) =>
          pages && {
            ...pages,
            pages: pages.pages.map((page, index) =>
              index === 0
                ? { ...page, results: [draft, ...page.results] }
                : page,
            ),
          },
      )
      return { before }
    },
    onError: (_error, _title, context) => {
      queryClient.setQueryData(['todos'], context?.before)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['todos'] }),
  })
  return <AddForm onAdd={create} error={error} />
}

const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 60_000 } },
})

export function App() {
  const [id, setId] = useState<number>()
  return (
    <QueryClientProvider client={queryClient}>
      <AddTodo />
      <TodoList onOpen={setId} />
      {id !== undefined && <TodoDetails id={id} />}
    </QueryClientProvider>
  )
}
