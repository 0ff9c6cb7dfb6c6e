import { casesOf } from '../testing.js'

export default casesOf({
  valid: [
    {
      name: 'functions of a handle, the Controller, and members that are derived',
      filename: 'A.svelte',
      code: `<script>
  import { useController, useDLE, useInfinite, useLoading } from '@selfsame/svelte'
  const { run } = useLoading(save)
  const { fetchNext } = useInfinite(todos.getList, undefined, { next })
  const { clock } = useController()
  const dle = useDLE(todos.getList)
  const { data } = $derived(dle)
</script>`,
    },
    {
      name: 'a handle that is taken apart where it is used',
      filename: 'A.svelte',
      code: `<script>
  import { useDLE } from '@selfsame/svelte'
  const todos = useDLE(getTodos)
  const open = $derived.by(() => {
    const { data } = todos
    return data?.length
  })
  function log() {
    const { error } = todos
    console.log(error)
  }
</script>
{#if todos.data}{@const { data } = todos}{data.length}{/if}`,
    },
    {
      name: 'refs of Vue, and data of React',
      filename: 'A.vue',
      code: `<script setup>
import { useDLE } from '@selfsame/vue'
const { data, loading } = useDLE(todos.getList)
</script>`,
    },
    {
      name: 'data of React',
      code: `import { useDLE, useSuspense } from '@selfsame/react'
        export function A() { const { data } = useDLE(todos.getList); const { title } = useSuspense(todos.get, { id: 5 }) }`,
    },
  ],
  invalid: [
    {
      name: 'members of a handle become derived',
      filename: 'A.svelte',
      code: `<script>
  import { useDLE, useLoading, useSuspense } from '@selfsame/svelte'
  const { data, loading: isLoading } = useDLE(todos.getList)
  const { run, error } = useLoading(save)
  let { current } = useSuspense(todos.get, { id: 5 })
</script>`,
      errors: [{ messageId: 'svelte' }, { messageId: 'svelte' }, { messageId: 'svelte' }],
      output: `<script>
  import { useDLE, useLoading, useSuspense } from '@selfsame/svelte'
  const dle = useDLE(todos.getList)
  const data = $derived(dle.data)
  const isLoading = $derived(dle.loading)
  const loading = useLoading(save)
  const run = loading.run
  const error = $derived(loading.error)
  const suspense = useSuspense(todos.get, { id: 5 })
  const current = $derived(suspense.current)
</script>`,
    },
    {
      name: 'what has no simple form is left',
      filename: 'A.svelte',
      code: `<script>
  import { useDLE } from '@selfsame/svelte'
  const { data = [], ...rest } = useDLE(todos.getList)
  const dle = 5
  const { error } = useDLE(todos.getList)
</script>`,
      errors: [{ messageId: 'svelte' }, { messageId: 'svelte' }],
    },
    {
      name: 'the value of a ref',
      filename: 'A.vue',
      code: `<script setup>
import { useSuspense } from '@selfsame/vue'
const { value } = await useSuspense(todos.getList)
</script>`,
      errors: [{ messageId: 'vue' }],
    },
    {
      name: 'a handle that has a name',
      filename: 'A.svelte',
      code: `<script>
  import { useDLE } from '@selfsame/svelte'
  const todos = useDLE(getTodos)
  const { data, refetch } = todos
</script>`,
      errors: [{ messageId: 'svelte', line: 4 }],
      output: `<script>
  import { useDLE } from '@selfsame/svelte'
  const todos = useDLE(getTodos)
  const data = $derived(todos.data)
  const refetch = todos.refetch
</script>`,
    },
    {
      name: 'a ref that has a name',
      filename: 'a.ts',
      code: `
        import { useSuspense } from '@selfsame/vue'
        export function useTodos() {
          const todos = useSuspense(getTodos)
          const { value } = todos
          return value
        }`,
      errors: [{ messageId: 'vue' }],
    },
  ],
})
