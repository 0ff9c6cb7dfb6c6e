import { casesOf } from '../testing.js'

const todo = `
  import { AsyncBoundary, DataProvider, useSuspense } from '@selfsame/react'
  import { StrictMode, Suspense } from 'react'
  import { createRoot, hydrateRoot } from 'react-dom/client'
  function Todo({ id }) { return <p>{useSuspense(todos.get, { id }).title}</p> }
`
const root = (tree: string) => `createRoot(element).render(${tree})`

export default casesOf({
  valid: [
    { code: `${todo}${root('<DataProvider><AsyncBoundary><Todo id={5} /></AsyncBoundary></DataProvider>')}` },
    { name: 'of React', code: `${todo}${root('<Suspense fallback="…"><Todo id={5} /></Suspense>')}` },
    {
      name: 'in a component on the way',
      code: `${todo}
        const App = () => <main><AsyncBoundary fallback={null}><Todo id={5} /></AsyncBoundary></main>
        ${root('<DataProvider><App /></DataProvider>')}`,
    },
    {
      name: 'a component that another file shows',
      code: `${todo}export const App = () => <main><Todo id={5} /></main>`,
    },
    {
      name: 'components and props that may have a boundary',
      code: `${todo}
        import { Layout, ErrorBoundary } from './layout'
        createRoot(element).render(<Layout><Todo id={5} /></Layout>)
        createRoot(element).render(<Page main={<Todo id={5} />} />)
        createRoot(element).render(<ErrorBoundary><Todo id={5} /></ErrorBoundary>)`,
    },
    {
      name: 'a hook that does not suspend',
      code: `import { useDLE } from '@selfsame/react'\nimport { createRoot } from 'react-dom/client'
        function App() { return <p>{useDLE(todos.getList).data?.length}</p> }
        ${root('<App />')}`,
    },
  ],
  invalid: [
    {
      name: 'in the tree of the root',
      code: `${todo}${root('<StrictMode><DataProvider><Todo id={5} /></DataProvider></StrictMode>')}`,
      errors: [{ messageId: 'none', line: 5 }],
    },
    {
      name: 'through a component',
      code: `${todo}
        const App = () => <main><Todo id={5} /></main>
        hydrateRoot(element, <DataProvider controller={controller}><App /></DataProvider>)`,
      errors: [{ messageId: 'none' }],
    },
    {
      name: 'a boundary inside of the component itself',
      code: `
        import { AsyncBoundary, useSuspense } from '@selfsame/react'
        import { createRoot } from 'react-dom/client'
        const Todo = memo(function Todo({ id }) {
          const todo = useSuspense(todos.get, { id })
          return <AsyncBoundary><p>{todo.title}</p></AsyncBoundary>
        })
        ${root('<Todo id={5} />')}`,
      errors: [{ messageId: 'inside' }],
    },
    {
      name: 'outside of the boundary beside it',
      code: `${todo}${root('<main><AsyncBoundary><p /></AsyncBoundary><Todo id={5} /></main>')}`,
      errors: [{ messageId: 'none' }],
    },
  ],
})
