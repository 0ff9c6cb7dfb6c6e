import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { compileMarkup } from '../testing/markup/compile-markup.js'
import { createStage } from '../testing/stage.js'

/** The source of a component without runes. */
const legacy = (call: string, markup: string, more = '') => `<script>
  import { useCache, useController, useDLE, useQuery, useSuspense } from 'selfsame'
  export let api
  export let id
  const todo = ${call}
  ${more}
</script>
${markup}`

const suspense = 'useSuspense(api.todo.get, () => ({ id }))'
const sources = {
  Store: legacy(suspense, '<output>{$todo?.title}</output>'),
  Dependent: legacy(
    suspense,
    '<output>{#if $todo && $user}{$todo.title}, {$user.name}{/if}</output>',
    'const user = useSuspense(api.user.get, () => ($todo ? { id: $todo.userId } : null))',
  ),
  Needed: legacy(
    suspense,
    '<output>{$todo?.title}</output>',
    'const user = useCache(api.user.get, () => ({ id: todo.current.userId }))',
  ),
  Statement: legacy(suspense, '<output>{title}</output>', '$: title = $todo?.title'),
  Current: legacy(suspense, '<output>{todo.current.title}</output>'),
  Pending: legacy(suspense, '<output>{todo.pending}</output>'),
  Loading: legacy('useDLE(api.todo.get, () => ({ id }))', '<output>{todo.loading}</output>'),
  Cached: legacy('useCache(api.todo.get, () => ({ id }))', '<output>{todo.current?.title}</output>'),
  Queried: legacy('useQuery(api.todo.get.schema, () => ({ id }))', '<output>{todo.current?.title}</output>'),
  Handler: legacy(
    suspense,
    '<output>{title}</output> <button on:click={() => (title = todo.current.title)}>Read</button>',
    `let title = ''`,
  ),
  Runes: `<script>
    import { useSuspense } from 'selfsame'
    const { api } = $props()
    const todo = useSuspense(api.todo.get, { id: 5 })
  </script><output>{todo.current.title}</output>`,
  Apart: `<script>
    import { useDLE } from 'selfsame'
    const { api } = $props()
    const { data, loading } = useDLE(api.todo.get, { id: 5 })
  </script><output>{loading} {data?.title}</output>`,
  Whole: `<script>
    import { useDLE } from 'selfsame'
    const { api } = $props()
    const todo = useDLE(api.todo.get, { id: 5 })
    const isLoading = $derived(todo.loading)
    let draft = $state(todo.data?.title)
  </script><output>{isLoading} {todo.loading} {draft ?? todo.data?.title}</output>`,
}

describe.each([
  ['', {}],
  [', with experimental.async', { isAsync: true }],
])('a component without runes%s', async (_, mode) => {
  const { mount, flush } = await compileMarkup('legacy', sources, mode)

  function open(name: keyof typeof sources) {
    const stage = createStage()
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warn.mockRestore())
    const page = mount(name, stage)
    onTestFinished(page.unmount)
    const settle = async () => {
      for (let round = 0; round < 2; round++) {
        flush()
        await stage.settle()
      }
    }
    const warnings = () => warn.mock.calls.map(([text]) => String(text))
    return { ...stage, page, settle, warnings }
  }

  test.each(['Store', 'Statement', 'Needed'] as const)(
    '%s: shows a store without a warning',
    async (name) => {
      const { api, controller, page, server, settle, warnings } = open(name)
      await settle()
      expect(page.output()).toBe('Todo 5')
      controller.set(api.todo.get.schema, { id: 5 }, { title: 'Changed' })
      await settle()
      expect(page.output()).toBe('Changed')
      page.change(6)
      await settle()
      expect(page.output()).toBe('Todo 6')
      server.hold('GET /todo/6')
      controller.resetAll()
      await settle()
      expect(page.output()).not.toContain('Todo')
      server.release()
      await settle()
      expect(page.output()).toBe('Todo 6')
      expect(warnings()).toEqual([])
    },
  )

  test('takes a store for the argument of another call', async () => {
    const { page, settle, warnings } = open('Dependent')
    await settle()
    expect(page.output()).toBe('Todo 5, User 1')
    expect(warnings()).toEqual([])
  })

  test.each([
    ['Current', 'useSuspense('],
    ['Pending', 'useSuspense('],
    ['Loading', 'useDLE('],
    ['Cached', 'useCache('],
    ['Queried', 'useQuery('],
  ] as const)('%s: a member that is read once is warned of', async (name, call) => {
    const { settle, warnings } = open(name)
    await settle()
    expect(warnings()[0]).toContain(`[selfsame] ${call}`)
    expect(warnings()[0]).toContain(`is read only once here: the component does not show later changes.
  The component has no runes. Read the handle as a store, $todo instead of todo.current,
  or write the component with runes ($props() instead of \`export let\`).`)
  })

  test('a handle that a component with runes takes apart is warned of', async () => {
    const { settle, warnings } = open('Apart')
    await settle()
    expect(warnings()).toEqual([
      `[selfsame] useDLE(Todo.get) is read only once here: the component does not show later changes.
  A destructured handle does not update. Keep the handle, \`const todo = useDLE(…)\`, and read
  \`todo.loading\` in markup or in $derived.`,
    ])
  })

  test('a handle that is read whole is not', async () => {
    const { page, settle, warnings } = open('Whole')
    await settle()
    expect(page.output()).toBe('false false Todo 5')
    expect(warnings()).toEqual([])
  })

  test.each(['Handler', 'Runes'] as const)('%s: what is read when it is needed is not', async (name) => {
    const { page, settle, warnings } = open(name)
    await settle()
    document.querySelector('button')?.click()
    await settle()
    expect(page.output()).toBe('Todo 5')
    expect(warnings()).toEqual([])
  })
})

test('a production build does not warn', async () => {
  const { mount } = await compileMarkup('legacy', sources, { isProduction: true })
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  const { settle, ...stage } = createStage()
  onTestFinished(mount('Cached', stage).unmount)
  await settle()
  expect(warn).not.toHaveBeenCalled()
})
