import { Controller } from '@selfsame/core'
import { optimistic } from '@selfsame/core/optimistic'
import { outbox } from '@selfsame/core/outbox'
import type { NetworkState } from '@selfsame/core/policies'
import { createResource } from '@selfsame/core/rest'
import { memoryStorage } from '@selfsame/core/storage'
import {
  AsyncBoundary,
  DataProvider,
  useController,
  useSuspense,
} from '@selfsame/react'
import { dataPlugin } from '@selfsame/vue'
import { render as renderSvelte } from '@testing-library/svelte'
import { act, useEffect } from 'react'
import type { ComponentType } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { RouterProvider, createMemoryRouter } from 'react-router'
import { createApp, h } from 'vue'
import { Todo, todoResource } from './api.js'
import { AddressSearch } from './guides/AddressSearch.js'
import DeleteTodoOfSvelte from './guides/DeleteTodo.svelte'
import { DeleteTodo } from './guides/DeleteTodo.js'
import DeleteTodoOfVue from './guides/DeleteTodo.vue'
import EditTodoOfSvelte from './guides/EditTodo.svelte'
import { EditTodo } from './guides/EditTodo.js'
import EditTodoOfVue from './guides/EditTodo.vue'
import GuideStage from './guides/GuideStage.svelte'
import MoreTodosOfSvelte from './guides/MoreTodos.svelte'
import { MoreTodos } from './guides/MoreTodos.js'
import MoreTodosOfVue from './guides/MoreTodos.vue'
import NoticeOfSvelte from './guides/NetworkNotice.svelte'
import { TodoWithNotice } from './guides/NetworkNotice.js'
import NoticeOfVue from './guides/NetworkNotice.vue'
import RoomMessagesOfSvelte from './guides/RoomMessages.svelte'
import { RoomMessages } from './guides/RoomMessages.js'
import RoomMessagesOfVue from './guides/RoomMessages.vue'
import NumberedOfSvelte from './guides/NumberedTodos.svelte'
import { NumberedTodos } from './guides/NumberedTodos.js'
import NumberedOfVue from './guides/NumberedTodos.vue'
import { createController } from './guides/offline.js'
import * as paging from './guides/paging.js'
import * as postCalls from './guides/post-calls.js'
import { postResource } from './guides/posts.js'
import PendingOfSvelte from './guides/PendingChanges.svelte'
import { PendingChanges } from './guides/PendingChanges.js'
import PendingOfVue from './guides/PendingChanges.vue'
import PostAuthorOfSvelte from './guides/PostAuthor.svelte'
import { PostAuthor } from './guides/PostAuthor.js'
import PostAuthorOfVue from './guides/PostAuthor.vue'
import * as ofProjects from './guides/project.js'
import ProjectTasksOfSvelte from './guides/ProjectTasks.svelte'
import { ProjectTasks } from './guides/ProjectTasks.js'
import ProjectTasksOfVue from './guides/ProjectTasks.vue'
import { readYourWrites } from './guides/read-your-writes.js'
import * as byToken from './guides/token.js'
import {
  afterNotice,
  removeTask,
  renameTask,
  taskResource,
} from './guides/undo.js'
import { getMe } from './guides/session.js'
import { isSignedIn, signIn, signOut } from './guides/user-menu.js'
import UserMenuOfSvelte from './guides/UserMenu.svelte'
import { UserMenu } from './guides/UserMenu.js'
import UserMenuOfVue from './guides/UserMenu.vue'
import { serve } from './testing-network.js'
import VueStage from './VueStage.vue'

// The samples of docs/authentication.md, docs/pagination.md, docs/recipes.md
// and docs/offline.md.

const ends: (() => unknown)[] = []
beforeEach(() => {
  document.body.innerHTML = '<div id="app"></div>'
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  vi.unstubAllGlobals()
})

const stage = () => document.querySelector('#app') as HTMLElement
const text = () => document.body.textContent.replace(/\s+/g, ' ').trim()
const lines = (requests: ReturnType<typeof serve>) =>
  requests.map(({ line }) => line)

async function element<Found extends HTMLElement>(
  selector: string,
): Promise<Found> {
  return await vi.waitUntil(() => document.querySelector<Found>(selector))
}

async function click(name: string) {
  const find = () =>
    [...document.querySelectorAll('button')].find(
      (button) => button.textContent.trim() === name,
    )
  const button = await vi.waitUntil(() => find())
  await act(async () => button.click())
}

async function type(selector: string, value: string) {
  const input = await element<HTMLInputElement>(selector)
  await act(async () => {
    // React follows the setter of the element's own property.
    Object.getOwnPropertyDescriptor(
      HTMLInputElement.prototype,
      'value',
    )?.set?.call(input, value)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

interface Contents {
  readonly react: ComponentType<{ id: number }>
  readonly vue: object
  readonly svelte: unknown
}

const frameworks: Record<
  string,
  (contents: Contents, controller?: Controller) => unknown
> = {
  async React({ react: Content }, controller = new Controller()) {
    const root = createRoot(stage())
    ends.push(() => act(async () => root.unmount()))
    await act(async () =>
      root.render(
        <DataProvider controller={controller}>
          <AsyncBoundary fallback="Loading…">
            <Content id={5} />
          </AsyncBoundary>
        </DataProvider>,
      ),
    )
  },
  Vue({ vue: content }, controller = new Controller()) {
    const app = createApp(VueStage, { content, id: 5 })
    app.use(dataPlugin, { controller }).mount(stage())
    ends.push(() => app.unmount())
  },
  Svelte({ svelte }, controller = new Controller()) {
    const { unmount } = renderSvelte(GuideStage, {
      props: { content: svelte as never, id: 5, controller },
    })
    ends.push(unmount)
  },
}

describe.each(Object.entries(frameworks))('in %s', (_, show) => {
  test('a user signs in and out', async () => {
    let isIn = false
    const requests = serve({
      'GET /me': () =>
        isIn ? { id: 1, name: 'Ann' } : new Response('', { status: 401 }),
      'POST /login': () => ((isIn = true), {}),
      'POST /logout': () => ((isIn = false), {}),
    })
    await show({
      react: UserMenu as never,
      vue: UserMenuOfVue,
      svelte: UserMenuOfSvelte,
    })
    await type('[aria-label=Name]', 'Ann')
    await type('[aria-label=Password]', 'secret')
    await click('Sign in')
    await vi.waitFor(() => expect(text()).toBe('Sign out Ann'))
    expect(requests.find(({ line }) => line === 'POST /login')?.body).toEqual({
      name: 'Ann',
      password: 'secret',
    })
    await click('Sign out Ann')
    await element('[aria-label=Name]')
  })

  test('a session that is over shows the form, and a server that fails does not', async () => {
    let status = 200
    serve({
      'GET /me': () =>
        status === 200 ? { id: 1, name: 'Ann' } : new Response('', { status }),
    })
    const controller = new Controller()
    await show(
      {
        react: UserMenu as never,
        vue: UserMenuOfVue,
        svelte: UserMenuOfSvelte,
      },
      controller,
    )
    await vi.waitFor(() => expect(text()).toBe('Sign out Ann'))
    for (status of [503, 401]) {
      await act(async () => {
        await controller.fetch(getMe).catch(() => {})
      })
      await vi.waitFor(() =>
        expect(text()).toBe(status === 503 ? 'Sign out Ann' : 'Sign in'),
      )
      expect(isSignedIn(controller)).toBe(status === 503)
    }
  })

  test('a sign-out that the server does not answer is told, and nothing of the user is left', async () => {
    let isOnline = true
    serve({
      'GET /me': () =>
        isOnline
          ? { id: 1, name: 'Ann' }
          : Promise.reject(new TypeError('Failed to fetch')),
      'POST /logout': () => Promise.reject(new TypeError('Failed to fetch')),
    })
    await show({
      react: UserMenu as never,
      vue: UserMenuOfVue,
      svelte: UserMenuOfSvelte,
    })
    await vi.waitFor(() => expect(text()).toBe('Sign out Ann'))
    isOnline = false
    await click('Sign out Ann')
    await vi.waitFor(() =>
      expect(text()).toMatch(/^Sign in ?The server has not signed you out\.$/),
    )
  })

  test('a page is left before its record is deleted', async () => {
    const requests = serve({ 'DELETE /todo/5': { id: 5 } })
    let hasLeft = false
    const leave = vi.fn(() => (hasLeft = true))
    await show({
      react: () => <DeleteTodo id={5} leave={leave} />,
      vue: {
        render: () => h(DeleteTodoOfVue, { id: 5, onLeave: leave }),
        inheritAttrs: false,
      },
      svelte: ((anchor: unknown) =>
        (
          DeleteTodoOfSvelte as unknown as (
            anchor: unknown,
            props: object,
          ) => unknown
        )(anchor, {
          // As a prop of the todo that a page shows, which is gone at once.
          get id() {
            return hasLeft ? undefined : 5
          },
          leave,
        })) as never,
    })
    await click('Delete')
    await vi.waitFor(() => expect(lines(requests)).toEqual(['DELETE /todo/5']))
    expect(leave).toHaveBeenCalledTimes(1)
  })

  test('numbered pages', async () => {
    const requests = serve({
      'GET /todo?page=1': [{ id: 1, title: 'Write' }],
      'GET /todo?page=2': [{ id: 2, title: 'Read' }],
    })
    await show({
      react: NumberedTodos as never,
      vue: NumberedOfVue,
      svelte: NumberedOfSvelte,
    })
    await vi.waitFor(() => expect(text()).toContain('Write'))
    await click('Next')
    await vi.waitFor(() => expect(text()).toContain('Read'))
    await click('Back')
    await vi.waitFor(() => expect(text()).toContain('Write'))
    expect(lines(requests)).toEqual(['GET /todo?page=1', 'GET /todo?page=2'])
  })

  test('a button that loads more', async () => {
    const requests = serve({
      'GET /todo': [{ id: 1, title: 'Write' }],
      'GET /todo?cursor=1': [{ id: 2, title: 'Read' }],
    })
    await show({
      react: MoreTodos as never,
      vue: MoreTodosOfVue,
      svelte: MoreTodosOfSvelte,
    })
    await click('Load more')
    await vi.waitFor(() =>
      expect(document.querySelectorAll('li')).toHaveLength(2),
    )
    expect(lines(requests)).toEqual(['GET /todo', 'GET /todo?cursor=1'])
  })

  test('a chat that loads older messages', async () => {
    const requests = serve({
      'GET /message?room=5': [{ id: 7, room: 5, text: 'Hello' }],
      'GET /message?before=7&room=5': [{ id: 6, room: 5, text: 'Hi' }],
      'GET /message?before=6&room=5': [],
    })
    await show({
      react: RoomMessages,
      vue: RoomMessagesOfVue,
      svelte: RoomMessagesOfSvelte,
    })
    await click('Older messages')
    await vi.waitFor(() =>
      expect(
        [...document.querySelectorAll('li')].map((row) => row.textContent),
      ).toEqual(['Hi', 'Hello']),
    )
    await click('Older messages')
    await vi.waitFor(() => expect(document.querySelector('button')).toBeNull())
    expect(lines(requests)).toEqual([
      'GET /message?room=5',
      'GET /message?before=7&room=5',
      'GET /message?before=6&room=5',
    ])
  })

  test('a read that depends on another', async () => {
    const requests = serve({
      'GET /post/5': { id: 5, title: 'News', authorId: 2 },
      'GET /author/2': { id: 2, name: 'Ann' },
    })
    await show({
      react: PostAuthor,
      vue: PostAuthorOfVue,
      svelte: PostAuthorOfSvelte,
    })
    await vi.waitFor(() => expect(text()).toBe('Ann'))
    expect(lines(requests)).toEqual(['GET /post/5', 'GET /author/2'])
  })

  test('a form over a record', async () => {
    const requests = serve({
      'GET /todo/5': { id: 5, title: 'Write' },
      'PATCH /todo/5': ({ body }: { body: object }) => ({ id: 5, ...body }),
    })
    await show({
      react: EditTodo,
      vue: EditTodoOfVue,
      svelte: EditTodoOfSvelte,
    })
    const button = await element<HTMLButtonElement>('button')
    expect(button.disabled).toBe(true)
    await type('[aria-label=Title]', 'Rewrite')
    await click('Save')
    await vi.waitFor(() => expect(button.disabled).toBe(true))
    expect((await element<HTMLInputElement>('input')).value).toBe('Rewrite')
    expect(requests[1]?.body).toEqual({ title: 'Rewrite' })
  })

  test('a call waits for the network', async () => {
    const requests = serve({ 'GET /todo/5': { id: 5, title: 'Write' } })
    const network = createNetwork()
    const controller = createController(network)
    await show(
      { react: TodoWithNotice, vue: NoticeOfVue, svelte: NoticeOfSvelte },
      controller,
    )
    await vi.waitFor(() => expect(text()).toBe('Waits for the network'))
    expect(requests).toEqual([])
    await act(async () => network.goOnline())
    await vi.waitFor(() => expect(text()).toBe('Write'))
    controller.dispose()
  })

  test('the tasks of a project that was made without a network', async () => {
    const { Task, projectResource, taskResource } = ofProjects
    const requests = serve({
      'GET /project': [],
      'POST /project': ({ body }: { body: object }) => ({ ...body, id: 10 }),
      'GET /task': [],
      'POST /task': ({ body }: { body: object }) => ({ ...body, id: 20 }),
    })
    const network = createNetwork()
    const controller = new Controller({
      middleware: [
        outbox({
          endpoints: [projectResource, taskResource],
          storage: memoryStorage(),
          network,
        }),
      ],
    })
    await controller.fetch(projectResource.getList)
    void controller.fetch(projectResource.create, { title: 'Move' })
    const projectId = controller.read(projectResource.getList).data![0]!.id
    await show(
      {
        react: () => <ProjectTasks projectId={projectId} />,
        vue: { render: () => h(ProjectTasksOfVue, { projectId }) },
        svelte: ((anchor: unknown) =>
          (
            ProjectTasksOfSvelte as unknown as (
              anchor: unknown,
              props: object,
            ) => unknown
          )(anchor, { projectId })) as unknown,
      },
      controller,
    )
    await click('Add a task')
    await vi.waitFor(() => expect(text()).toMatch(/^New task ?Add a task$/))
    expect(lines(requests)).toEqual(['GET /project'])
    await act(async () => network.goOnline())
    await vi.waitFor(() => expect(lines(requests)).toContain('POST /task'))
    await vi.waitFor(() =>
      expect(controller.get(Task, { id: 20 })).toMatchObject({
        projectId: 10,
      }),
    )
    expect(text()).toMatch(/^New task ?Add a task$/)
    controller.dispose()
  })

  test('the changes that wait and failed are listed', async () => {
    serve({ 'PATCH /todo/5': () => Response.json({}, { status: 422 }) })
    const network = createNetwork()
    const controller = new Controller({
      middleware: [
        outbox({
          endpoints: [todoResource],
          storage: memoryStorage(),
          network,
        }),
      ],
    })
    await show(
      { react: PendingChanges, vue: PendingOfVue, svelte: PendingOfSvelte },
      controller,
    )
    controller
      .fetch(todoResource.partialUpdate, { id: 5 }, { title: 'x' })
      .catch(() => {})
    await vi.waitFor(() => expect(text()).toContain('1 changes wait'))
    await act(async () => network.goOnline())
    await vi.waitFor(() => expect(text()).toMatch(/0 changes wait.*422/))
    await click('Discard')
    await vi.waitFor(() => expect(text()).not.toContain('422'))
    controller.dispose()
  })

  test('a change that may have been saved is listed as such', async () => {
    serve({ 'POST /todo': () => Response.json({}, { status: 503 }) })
    const controller = new Controller({
      middleware: [
        outbox({
          endpoints: [todoResource],
          storage: memoryStorage(),
          idempotencyKey: false,
        }),
      ],
    })
    await show(
      { react: PendingChanges, vue: PendingOfVue, svelte: PendingOfSvelte },
      controller,
    )
    await act(async () => {
      await controller
        .fetch(todoResource.create, { title: 'x' })
        .catch(() => {})
    })
    await vi.waitFor(() =>
      expect(text()).toContain('Todo.create: This may have been saved.'),
    )
    controller.dispose()
  })
})

function createNetwork(): NetworkState & { goOnline(): void } {
  let isOnline = false
  const listeners = new Set<() => void>()
  return {
    isOnline: () => isOnline,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    goOnline() {
      isOnline = true
      for (const listener of listeners) listener()
    },
  }
}

test('in React, a sign-in page that resets in an effect leaves no reader that sends a request without the session', async () => {
  let isIn = true
  const requests = serve({
    'GET /todo/5': () =>
      isIn ? { id: 5, title: 'Private' } : Response.json({}, { status: 401 }),
  })
  const controller = new Controller()
  const PrivatePage = () => useSuspense(todoResource.get, { id: 5 }).title
  function SignInPage() {
    const controller = useController()
    useEffect(() => controller.resetAll(), [controller])
    return 'Sign in'
  }
  const router = createMemoryRouter(
    [
      { path: '/todo', element: <PrivatePage /> },
      { path: '/login', element: <SignInPage /> },
    ],
    { initialEntries: ['/todo'] },
  )
  const react = () => <RouterProvider router={router} />
  await frameworks['React']?.({ react, vue: {}, svelte: undefined }, controller)
  await vi.waitFor(() => expect(text()).toBe('Private'))
  isIn = false
  await act(() => router.navigate('/login'))
  await vi.waitFor(() => expect(text()).toBe('Sign in'))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(lines(requests)).toEqual(['GET /todo/5'])
  expect(controller.get(Todo, { id: 5 })).toBeUndefined()
})

test('in React, a search in the address leaves "back" alone', async () => {
  const requests = serve({
    'GET /todo?title=': [],
    'GET /todo?title=tea': [{ id: 1, title: 'Buy tea' }],
    'GET /todo?title=milk': [{ id: 2, title: 'Buy milk' }],
  })
  const router = createMemoryRouter(
    [{ path: '/search', element: <AddressSearch /> }],
    { initialEntries: ['/search?title=tea'] },
  )
  const seen: string[] = []
  router.subscribe(({ location }) => seen.push(location.search))
  await frameworks['React']?.({
    react: () => <RouterProvider router={router} />,
    vue: {},
    svelte: undefined,
  })
  const field = await element<HTMLInputElement>('input')
  await vi.waitFor(() => expect(text()).toBe('Buy tea'))
  // Another search, as a link leads to it.
  await act(() => router.navigate('/search'))
  await vi.waitFor(() => expect(field.value).toBe(''))
  await type('input', 'mil')
  await type('input', 'milk')
  await vi.waitFor(() => expect(text()).toBe('Buy milk'))
  expect(seen).toEqual(['', '?title=milk'])
  // Typed, and left before it was searched.
  await type('input', 'milks')
  await act(() => router.navigate(-1))
  await vi.waitFor(() => expect(text()).toBe('Buy tea'))
  expect(field.value).toBe('tea')
  await act(() => new Promise((resolve) => setTimeout(resolve, 500)))
  expect([field.value, router.state.location.search]).toEqual([
    'tea',
    '?title=tea',
  ])
  expect(seen).toEqual(['', '?title=milk', '?title=tea'])
  expect(lines(requests).filter((line) => line.includes('milks'))).toEqual([])
})

describe('without a framework', () => {
  test('a user signs in and out', async () => {
    serve({
      'GET /me': { id: 1, name: 'Ann' },
      'POST /login': {},
      'POST /logout': {},
    })
    const controller = new Controller()
    expect(isSignedIn(controller)).toBe(false)
    expect(await signIn(controller, 'Ann', 'secret')).toMatchObject({
      name: 'Ann',
    })
    expect(isSignedIn(controller)).toBe(true)
    await signOut(controller)
    expect(isSignedIn(controller)).toBe(false)
  })

  test('pages', async () => {
    const requests = serve({
      'GET /todo': [{ id: 1, title: 'Write' }],
      'GET /todo?page=2': [{ id: 2, title: 'Read' }],
      'GET /todo?cursor=1': [{ id: 2, title: 'Read' }],
    })
    const controller = new Controller()
    expect(await paging.readPage(controller, 2)).toMatchObject([{ id: 2 }])
    expect(await paging.loadMore(controller)).toMatchObject([
      { id: 1 },
      { id: 2 },
    ])
    expect(lines(requests)).toEqual([
      'GET /todo?page=2',
      'GET /todo',
      'GET /todo?cursor=1',
    ])
  })

  test('a token is sent after the sign-in, and not after the sign-out', async () => {
    const requests = serve({
      'POST /login': { token: 'abc' },
      'GET /todo/5': { id: 5, title: 'Write' },
    })
    const controller = new Controller()
    await byToken.signIn(controller, 'Ann', 'secret')
    await controller.fetch(byToken.todoResource.get, { id: 5 })
    byToken.signOut(controller)
    expect(
      controller.read(byToken.todoResource.get, { id: 5 }).data,
    ).toBeUndefined()
    await controller.fetch(byToken.todoResource.get, { id: 5 })
    expect(requests.map(({ headers }) => headers.get('Authorization'))).toEqual(
      [null, 'Bearer abc', null],
    )
  })

  test('a record that is created in front of a list leaves its cursor', async () => {
    serve({
      'GET /todo': [{ id: 1, title: 'Write' }],
      'GET /todo?cursor=1': [{ id: 2, title: 'Read' }],
      'POST /todo': { id: 9, title: 'New' },
    })
    const controller = new Controller()
    const ids = () =>
      controller.read(todoResource.getList).data?.map(({ id }) => id)
    await controller.fetch(todoResource.getList)
    await paging.addInFront(controller, 'New')
    expect(ids()).toEqual([9, 1])
    await paging.loadMore(controller)
    expect(ids()).toEqual([9, 1, 2])
  })

  test('a record that is created in front of a list is shown early by an optimistic resource', async () => {
    serve({ 'GET /todo': [{ id: 1 }], 'POST /todo': { id: 9, title: 'New' } })
    const own = createResource({ path: '/todo/:id', schema: Todo, optimistic })
    const controller = new Controller()
    const titles = () =>
      controller.read(own.getList).data?.map(({ title }) => title)
    await controller.fetch(own.getList)
    const created = controller.fetch(own.getList.unshift, { title: 'New' })
    expect(titles()).toEqual(['New', ''])
    expect((await created)?.id).toBe(9)
    expect(titles()).toEqual(['New', ''])
  })

  test('an envelope has what is created, and not what is deleted', async () => {
    let items = [{ id: 1, title: 'News' }]
    serve({
      'GET /post': () => ({ items, nextCursor: 'b', total: items.length + 50 }),
      'GET /post?cursor=b': {
        items: [{ id: 3, title: 'Old' }],
        nextCursor: '',
        total: 51,
      },
      'POST /post': () => (
        (items = [...items, { id: 2, title: 'More' }]),
        items[1]
      ),
      'DELETE /post/1': () => ((items = items.slice(1)), { id: 1 }),
    })
    const controller = new Controller()
    const read = () => controller.read(postResource.getList).data
    await controller.fetch(postResource.getList)
    await controller.fetch(postResource.getList.getPage, { cursor: 'b' })
    expect(read()).toMatchObject({
      items: [{ id: 1 }, { id: 3 }],
      nextCursor: '',
    })
    expect(await postCalls.publish(controller, 'More')).toBe(
      '51 posts before, 52 now',
    )
    expect(read()?.items.map(({ id }) => id)).toEqual([1, 3, 2])
    expect(read()?.total).toBe(52)
    await controller.fetch(postResource.delete, { id: 1 })
    expect(read()?.items.map(({ id }) => id)).toEqual([3, 2])
    expect(read()?.total).toBe(51)
  })

  test('a deletion is undone before it is sent, and an edit by its inverse', async () => {
    const requests = serve({
      'GET /task': [
        { id: 5, title: 'A' },
        { id: 6, title: 'B' },
      ],
      'DELETE /task/6': {},
      'PATCH /task/6': ({ body }: { body: object }) => ({ id: 6, ...body }),
    })
    const controller = new Controller({ middleware: [afterNotice] })
    const titles = () =>
      controller.read(taskResource.getList).data?.map(({ title }) => title)
    await controller.fetch(taskResource.getList)
    const { removed, undo, close } = removeTask(controller, 5)
    expect(titles()).toEqual(['B'])
    undo()
    await expect(removed).rejects.toThrow('aborted')
    close()
    expect(titles()).toEqual(['A', 'B'])
    const edit = renameTask(controller, 6, 'New')
    expect(titles()).toEqual(['A', 'New'])
    await edit.undo()
    expect(titles()).toEqual(['A', 'B'])
    const other = removeTask(controller, 6)
    other.close()
    await other.removed
    expect(lines(requests)).toEqual([
      'GET /task',
      'PATCH /task/6',
      'PATCH /task/6',
      'DELETE /task/6',
    ])
  })

  test('a project and its tasks are made together, and finished by one request', async () => {
    const { Project, Task, finishProject, projectResource } = ofProjects
    const { startProject, taskResource } = ofProjects
    let id = 20
    const task = { id: 30, projectId: 10, title: 'Drive', isDone: false }
    const requests = serve({
      'GET /project': [],
      'POST /project': { id: 10, title: 'Move' },
      'POST /task': ({ body }: { body: object }) => ({ ...body, id: id++ }),
      'GET /task': [task],
      'POST /project/10/finish': new Response('{}', { status: 409 }),
    })
    const controller = new Controller()
    await controller.fetch(projectResource.getList)
    const making = startProject(controller, 'Move')
    const projects = () => controller.read(projectResource.getList).data
    const projectId = projects()![0]!.id
    const tasks = (of: number | string) =>
      controller
        .read(taskResource.getList, { projectId: of })
        .data?.map(({ title }) => title)
    expect(tasks(projectId)).toEqual(['Plan', 'Pack'])
    const [made, first] = await making
    expect([made, first]).toMatchObject([
      { id: 10 },
      { id: 20, title: 'Plan', projectId: 10 },
    ])
    expect([made, first].map((each) => each.constructor)).toEqual([
      Project,
      Task,
    ])
    expect(tasks(10)).toEqual(['Plan', 'Pack'])
    expect(requests.slice(1).map(({ line, body }) => [line, body])).toEqual([
      ['POST /project', { title: 'Move' }],
      ['POST /task', { projectId: 10, title: 'Plan' }],
      ['POST /task', { projectId: 10, title: 'Pack' }],
    ])
    await controller.fetch(taskResource.getList, { projectId: 10 })
    const finishing = controller.fetch(finishProject, { id: 10 })
    const areDone = () => [
      controller.get(Project, { id: 10 })?.isDone,
      controller.get(Task, { id: 30 })?.isDone,
    ]
    expect(areDone()).toEqual([true, true])
    await expect(finishing).rejects.toMatchObject({ status: 409 })
    expect(areDone()).toEqual([false, false])
    const [project, plan] = await startProject(controller, 'Move')
    expect([project, plan]).toMatchObject([{ id: 10 }, { id: 22 }])
  })

  test('reads after a mutation come from the primary', async () => {
    const from: (string | null)[] = []
    vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
      from.push(new Headers(init.headers).get('x-read-from'))
      return Response.json({ id: 5 })
    })
    const controller = new Controller({ middleware: [readYourWrites(5000)] })
    await controller.fetch(todoResource.get, { id: 5 })
    await controller.fetch(
      todoResource.partialUpdate,
      { id: 5 },
      { title: 'New' },
    )
    await controller.fetch(todoResource.get, { id: 5 })
    expect(from).toEqual([null, null, 'primary'])
  })

  test('data is frozen in development', async () => {
    serve({ 'GET /todo/5': { id: 5, title: 'Write' } })
    const controller = new Controller()
    const isDevelopment = Object.isFrozen(
      await controller.fetch(todoResource.get, { id: 5 }),
    )
    expect(isDevelopment).toBe(true)
  })

  test('a read that depends on another', async () => {
    serve({
      'GET /post/5': { id: 5, authorId: 2 },
      'GET /author/2': { id: 2, name: 'Ann' },
    })
    expect(await postCalls.authorOf(new Controller(), 5)).toMatchObject({
      name: 'Ann',
    })
  })
})
