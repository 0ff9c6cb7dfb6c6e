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
  ],
})
