import { casesOf } from '../testing.js'

export default casesOf({
  valid: [
    {
      name: 'getters, refs and values that do not change',
      filename: 'A.vue',
      code: `<script setup lang="ts">
import { useDLE, useInfinite, useQuery, useSuspense } from '@selfsame/vue'
import { computed, ref } from 'vue'
const { id } = defineProps<{ id: number }>()
const props = withDefaults(defineProps<{ group: string }>(), { group: 'a' })
const params = computed(() => ({ id }))
const plain = 5
const todo = await useSuspense(todos.get, () => ({ id }))
useDLE(todos.get, params)
useQuery(Todo, { id: plain })
useQuery(all)
useSuspense(todos.getList, () => (props.group ? { group: props.group } : null))
useSuspense(search, () => [todo.value.title, 5])
useInfinite(todos.getList, undefined, { next: () => (props.group ? { page: 2 } : undefined) })
</script>`,
    },
    {
      name: 'toRefs, and props that stay whole',
      filename: 'a.ts',
      code: `
        import { useSuspense } from '@selfsame/vue'
        import { toRefs } from 'vue'
        export default {
          async setup(props) {
            const { id } = toRefs(props)
            return { todo: await useSuspense(todos.get, () => ({ id: id.value })), other: useSuspense(todos.get, () => props) }
          },
        }`,
    },
    {
      name: 'getters, stores and values of Svelte',
      filename: 'A.svelte',
      code: `<script lang="ts">
  import { page } from '$app/stores'
  import { useQuery, useSuspense } from '@selfsame/svelte'
  const { id }: { id: number } = $props()
  let text = $state('')
  const key = 5
  const todo = useSuspense(todos.get, () => ({ id }))
  useSuspense(search, () => [text])
  useSuspense(search, () => text, () => ({ id: $page.params.id }))
  useSuspense(todos.get, { id: key })
  useSuspense(todos.get, params)
  const again = $derived(useQuery(Todo, { id }))
</script>
<p>{todo.current.title}</p>`,
    },
    {
      name: 'values of React, which renders again',
      code: `
        import { useSuspense } from '@selfsame/react'
        export function A({ id }) { return useSuspense(todos.get, { id }).title }`,
    },
    {
      name: 'arguments of a composable',
      filename: 'a.ts',
      code: `
        import { useSuspense } from '@selfsame/vue'
        export const useTodo = (params) => useSuspense(todos.get, params)`,
    },
  ],
  invalid: [
    {
      name: 'props of Vue',
      filename: 'A.vue',
      code: `<script setup lang="ts">
import { useDLE, useSuspense } from '@selfsame/vue'
const props = defineProps<{ id: number }>()
const todo = await useSuspense(todos.get, { id: props.id })
const other = useDLE(todos.get, props.id === undefined ? null : { id: props.id })
</script>`,
      errors: [{ messageId: 'once' }, { messageId: 'once' }],
      output: `<script setup lang="ts">
import { useDLE, useSuspense } from '@selfsame/vue'
const props = defineProps<{ id: number }>()
const todo = await useSuspense(todos.get, () => ({ id: props.id }))
const other = useDLE(todos.get, () => (props.id === undefined ? null : { id: props.id }))
</script>`,
    },
    {
      name: 'destructured props of Vue',
      filename: 'A.vue',
      code: `<script setup lang="ts">
import { useSuspense } from '@selfsame/vue'
const { id, group: section } = defineProps<{ id: number; group: string }>()
const todo = await useSuspense(todos.get, { id })
useSuspense(search, section, id)
</script>`,
      errors: [{ messageId: 'once' }, { messageId: 'once' }, { messageId: 'once' }],
      output: `<script setup lang="ts">
import { useSuspense } from '@selfsame/vue'
const { id, group: section } = defineProps<{ id: number; group: string }>()
const todo = await useSuspense(todos.get, () => ({ id }))
useSuspense(search, () => section, () => id)
</script>`,
    },
    {
      name: 'values of refs, models, reactive objects, routes and handles of Vue',
      filename: 'A.vue',
      code: `<script setup lang="ts">
import { useDLE, useQuery, useSuspense } from '@selfsame/vue'
import { reactive, ref } from 'vue'
import { useRoute } from 'vue-router'
const page = ref(1)
const filters = reactive({ q: '' })
const route = useRoute()
const chosen = defineModel<number>('chosen')
const todo = await useSuspense(todos.get, () => ({ id: 5 }))
const { data } = useDLE(getMe)
useQuery(all, { page: page.value })
useQuery(all, { q: filters.q })
useQuery(all, { id: route.params.id })
useQuery(all, { id: chosen.value })
useQuery(all, { id: todo.value.userId })
useQuery(all, { id: data.value?.id })
</script>`,
      errors: Array.from({ length: 6 }, () => ({ messageId: 'once' })),
      output: `<script setup lang="ts">
import { useDLE, useQuery, useSuspense } from '@selfsame/vue'
import { reactive, ref } from 'vue'
import { useRoute } from 'vue-router'
const page = ref(1)
const filters = reactive({ q: '' })
const route = useRoute()
const chosen = defineModel<number>('chosen')
const todo = await useSuspense(todos.get, () => ({ id: 5 }))
const { data } = useDLE(getMe)
useQuery(all, () => ({ page: page.value }))
useQuery(all, () => ({ q: filters.q }))
useQuery(all, () => ({ id: route.params.id }))
useQuery(all, () => ({ id: chosen.value }))
useQuery(all, () => ({ id: todo.value.userId }))
useQuery(all, () => ({ id: data.value?.id }))
</script>`,
    },
    {
      name: 'props of Vue that were copied out, which no getter follows',
      filename: 'a.ts',
      code: `
        import { useSuspense } from '@selfsame/vue'
        export const A = defineComponent({ async setup({ id }) { return { todo: await useSuspense(todos.get, () => ({ id })) } } })
        export const B = { async setup(props) { const { id } = props; return { todo: await useSuspense(todos.get, { id }) } } }
        export const C = { async setup(props) { return { todo: await useSuspense(todos.get, { id: props.id }) } } }`,
      errors: [{ messageId: 'lost' }, { messageId: 'lost' }, { messageId: 'once' }],
      output: `
        import { useSuspense } from '@selfsame/vue'
        export const A = defineComponent({ async setup({ id }) { return { todo: await useSuspense(todos.get, () => ({ id })) } } })
        export const B = { async setup(props) { const { id } = props; return { todo: await useSuspense(todos.get, { id }) } } }
        export const C = { async setup(props) { return { todo: await useSuspense(todos.get, () => ({ id: props.id })) } } }`,
    },
    {
      name: 'props and runes of Svelte',
      filename: 'A.svelte',
      code: `<script lang="ts">
  import { useSuspense } from '@selfsame/svelte'
  const { id, ...rest }: { id: number } = $props()
  let text = $state('')
  const upper = $derived(text.toUpperCase())
  const todo = useSuspense(todos.get, { id })
  useSuspense(search, text, { words: upper })
</script>`,
      errors: [{ messageId: 'once' }, { messageId: 'once' }, { messageId: 'once' }],
      output: `<script lang="ts">
  import { useSuspense } from '@selfsame/svelte'
  const { id, ...rest }: { id: number } = $props()
  let text = $state('')
  const upper = $derived(text.toUpperCase())
  const todo = useSuspense(todos.get, () => ({ id }))
  useSuspense(search, () => text, () => ({ words: upper }))
</script>`,
    },
    {
      name: 'whole props, handles, stores and the page of SvelteKit',
      filename: 'A.svelte',
      code: `<script lang="ts">
  import { page } from '$app/state'
  import { page as store } from '$app/stores'
  import { useDLE, useSuspense } from '@selfsame/svelte'
  const props: { id: number } = $props()
  const todo = useSuspense(todos.get, { id: props.id })
  useDLE(users.get, { id: todo.current.userId })
  useDLE(users.get, { id: page.params.id })
  useDLE(users.get, { id: $store.params.id })
</script>`,
      errors: [{ messageId: 'once' }, { messageId: 'once' }, { messageId: 'once' }, { messageId: 'once' }],
      output: `<script lang="ts">
  import { page } from '$app/state'
  import { page as store } from '$app/stores'
  import { useDLE, useSuspense } from '@selfsame/svelte'
  const props: { id: number } = $props()
  const todo = useSuspense(todos.get, () => ({ id: props.id }))
  useDLE(users.get, () => ({ id: todo.current.userId }))
  useDLE(users.get, () => ({ id: page.params.id }))
  useDLE(users.get, () => ({ id: $store.params.id }))
</script>`,
    },
  ],
})
