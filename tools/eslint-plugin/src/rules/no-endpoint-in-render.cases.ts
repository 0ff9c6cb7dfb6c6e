import { casesOf } from '../testing.js'

export default casesOf({
  valid: [
    {
      name: 'at the top of a module',
      code: `
        import { Controller, Endpoint, Query } from '@selfsame/core'
        import { createResource } from '@selfsame/core/rest'
        export const controller = new Controller()
        export const todos = createResource({ path: '/todo/:id', schema: Todo })
        export const done = new Query(todos.getList.schema, (list) => list.filter((todo) => todo.completed))
        const App = () => <DataProvider controller={controller} />`,
    },
    {
      name: 'a Controller that a component keeps',
      code: `
        import { Controller } from '@selfsame/core'
        function App() {
          const [controller] = useState(() => new Controller())
          const other = useMemo(() => new Controller(), [])
          const kept = useRef(new Controller())
          const ref = useRef(null)
          if (ref.current === null) ref.current = new Controller()
          ref.current ??= new Controller()
          return <DataProvider controller={controller} />
        }`,
    },
    {
      name: 'what is kept between renders',
      code: `
        import { useMemo } from 'react'
        function Search({ base }) {
          const resource = useMemo(() => createResource({ urlPrefix: base, path: '/todo/:id', schema: Todo }), [base])
          return <List resource={resource} />
        }
        import { createResource } from '@selfsame/core/rest'`,
    },
    {
      name: 'in a function that is no component, and in a loader',
      code: `
        import { RestEndpoint } from '@selfsame/core/rest'
        export function makeApi(urlPrefix) { return new RestEndpoint({ urlPrefix, path: '/todo' }) }
        function Screen() {
          return <button onClick={() => controller.fetch(todos.get.extend({ signal }), { id: 5 })} />
        }`,
    },
    {
      name: 'classes of another package',
      code: `
        import { Controller, Endpoint } from 'elsewhere'
        function App() { const controller = new Controller(); return <p>{schema.extend({})}{new Endpoint()}</p> }`,
    },
    {
      name: 'a Controller in the setup of Vue, which runs once',
      filename: 'App.vue',
      code: `<script setup>
import { Controller } from '@selfsame/core'
const controller = new Controller()
</script>
<template><DataProvider :controller="controller" /></template>`,
    },
    {
      name: 'the module script of Svelte',
      filename: 'App.svelte',
      code: `<script module>
  import { Endpoint } from '@selfsame/core'
  const search = new Endpoint(find, { name: 'search' })
</script>
<script>
  const made = 5
</script>`,
    },
  ],
  invalid: [
    {
      name: 'moves an endpoint that needs nothing of its component to the module',
      code: `
import { Endpoint } from '@selfsame/core'
const url = '/todo'

export function Todos() {
  const getTodos = new Endpoint(() => fetch(url), { name: 'getTodos' })
  return <p>{useSuspense(getTodos).length}</p>
}`,
      errors: [{ messageId: 'render' }],
      output: `
import { Endpoint } from '@selfsame/core'
const url = '/todo'

const getTodos = new Endpoint(() => fetch(url), { name: 'getTodos' })

export function Todos() {
  return <p>{useSuspense(getTodos).length}</p>
}`,
    },
    {
      name: 'leaves one that needs a prop, a name that is taken, and one in an expression',
      code: `
        import { RestEndpoint, createResource } from '@selfsame/core/rest'
        const getTodo = 5
        const Todos = memo(({ group }) => {
          const getTodos = new RestEndpoint({ path: '/' + group })
          const getTodo = new RestEndpoint({ path: '/todo' })
          return <p>{useSuspense(createResource({ path: '/todo/:id', schema: Todo }).getList)}</p>
        })`,
      errors: [{ messageId: 'render' }, { messageId: 'render' }, { messageId: 'render' }],
    },
    {
      name: 'what is derived from an endpoint',
      code: `
        function useOpenTodos() { return useSuspense(todoResource.getList.extend({ dataExpiryLength: 0 })) }
        function Todos({ groups }) {
          return groups.map((group) => <List of={todoResource.getList.extend({ urlPrefix: group })} />)
        }`,
      errors: [{ messageId: 'render' }, { messageId: 'render' }],
    },
    {
      name: 'a namespace, and a query',
      code: `
        import * as selfsame from '@selfsame/core'
        function Count() { return <p>{useQuery(new selfsame.Query(all, (list) => list.length))}</p> }`,
      errors: [{ messageId: 'render' }],
    },
    {
      name: 'a Controller',
      code: `
        import { Controller } from '@selfsame/core'
        function App() { return <DataProvider controller={new Controller()} /> }
        function useOwn() { const controller = new Controller(); return controller }`,
      errors: [{ messageId: 'controller' }, { messageId: 'controller' }],
    },
    {
      name: 'a Controller that is made at each render, and kept once',
      code: `
        import { Controller } from '@selfsame/core'
        import { useState } from 'react'
        function App() { const [controller] = useState(new Controller()); return <p /> }`,
      errors: [{ messageId: 'eager' }],
      output: `
        import { Controller } from '@selfsame/core'
        import { useState } from 'react'
        function App() { const [controller] = useState(() => new Controller()); return <p /> }`,
    },
    {
      name: 'an endpoint in the setup of Vue',
      filename: 'Todos.vue',
      code: `<script setup>
import { createResource } from '@selfsame/core/rest'
const todos = createResource({ path: '/todo/:id', schema: Todo })
</script>`,
      errors: [{ messageId: 'setup' }],
    },
    {
      name: 'an endpoint in a composable, and in setup()',
      filename: 'todos.ts',
      code: `
        import { Endpoint } from '@selfsame/core'
        import { useSuspense } from '@selfsame/vue'
        export const useTodos = () => useSuspense(new Endpoint(find, { name: 'find' }))
        export default { setup() { return { search: new Endpoint(find, { name: 'search' }) } } }`,
      errors: [{ messageId: 'setup' }, { messageId: 'setup' }],
    },
    {
      name: 'an endpoint in the script of Svelte',
      filename: 'Todos.svelte',
      code: `<script>
  import { Endpoint } from '@selfsame/core'
  const search = new Endpoint(find, { name: 'search' })
</script>`,
      errors: [{ messageId: 'setup' }],
    },
  ],
})
