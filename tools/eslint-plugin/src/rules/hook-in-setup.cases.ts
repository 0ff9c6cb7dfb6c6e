import { casesOf } from '../testing.js'

export default casesOf({
  valid: [
    {
      name: 'after an await of <script setup>, which the compiler of Vue knows of',
      filename: 'A.vue',
      code: `<script setup>
import { useController, useSuspense } from '@selfsame/vue'
const todo = await useSuspense(todos.get, { id: 5 })
const controller = useController()
</script>`,
    },
    {
      name: 'in setup() and in composables, before the first await',
      filename: 'a.ts',
      code: `
        import { useController, useSuspense } from '@selfsame/vue'
        export async function useTodo() {
          const controller = useController()
          const todo = await useSuspense(todos.get, { id: 5 })
          return { todo, controller }
        }
        export default { async setup() { return { todo: await useSuspense(todos.get, { id: 5 }) } } }`,
    },
    {
      name: 'after an await of another branch',
      filename: 'a.ts',
      code: `
        import { useSuspense } from '@selfsame/vue'
        async function useTodo(id) {
          if (id === undefined) return await load()
          return useSuspense(todos.get, { id })
        }`,
    },
    {
      name: 'where Vue knows the application: stores, guards, its lifecycle hooks',
      filename: 'a.ts',
      code: `
        import { useController, useDLE } from '@selfsame/vue'
        import { onMounted } from 'vue'
        const useTodos = defineStore('todos', () => ({ list: useDLE(todos.getList) }))
        router.beforeEach(() => useController().fetch(getMe))
        app.runWithContext(() => useController())
        onMounted(() => useController())`,
    },
    {
      name: 'React has rules of its own',
      code: `
        import { useController } from '@selfsame/react'
        const A = () => <button onClick={async () => { await wait(); useController() }} />`,
    },
    {
      name: 'hooks of others',
      filename: 'a.ts',
      code: `import { useQuery } from 'elsewhere'
        async function useA() { await wait(); return useQuery() }`,
    },
    {
      name: 'what a hook gave, in a handler',
      filename: 'A.vue',
      code: `<script setup>
import { useController } from '@selfsame/vue'
const controller = useController()
const save = () => controller.fetch(todos.create, {})
</script>
<template><button @click="save" /><button @click="controller.fetch(todos.create, {})" /></template>`,
    },
    {
      name: 'in the script of Svelte',
      filename: 'A.svelte',
      code: `<script>
  import { useController } from '@selfsame/svelte'
  const controller = useController()
</script>
<button onclick={() => controller.fetch(todos.create, {})}>Add</button>`,
    },
  ],
  invalid: [
    {
      name: 'after an await of setup() and of a composable',
      filename: 'a.ts',
      code: `
        import { useController, useSuspense } from '@selfsame/vue'
        export async function useTodo() {
          const todo = await useSuspense(todos.get, { id: 5 })
          return { todo, controller: useController() }
        }
        export default defineComponent({
          async setup() {
            const user = await useSuspense(getMe)
            const list = await useSuspense(todos.getList, () => ({ userId: user.value.id }))
            return { list }
          },
        })`,
      errors: [
        { messageId: 'afterAwait', line: 5 },
        { messageId: 'afterAwait', line: 10 },
      ],
    },
    {
      name: 'after the await of a condition',
      filename: 'a.ts',
      code: `
        import { useController } from '@selfsame/vue'
        async function useA() { if (await isAllowed()) return useController() }`,
      errors: [{ messageId: 'afterAwait' }],
    },
    {
      name: 'by what calls later',
      filename: 'A.vue',
      code: `<script setup>
import { useController } from '@selfsame/vue'
import { nextTick, watch } from 'vue'
watch(id, () => useController().fetch(todos.get, { id: id.value }))
setTimeout(() => { useController() })
load().then(() => useController())
</script>`,
      errors: [{ messageId: 'later' }, { messageId: 'later' }, { messageId: 'later' }],
    },
    {
      name: 'in handlers of a template',
      filename: 'A.vue',
      code: `<script setup>
import { useController } from '@selfsame/vue'
const save = () => useController().fetch(todos.create, {})
function remove() {
  const controller = useController()
}
</script>
<template>
  <button @click="save" /><button v-on:click="remove" />
  <button @click="() => useController().resetAll()" />
</template>`,
      errors: [{ messageId: 'handler' }, { messageId: 'handler' }, { messageId: 'handler' }],
    },
    {
      name: 'in options',
      filename: 'a.ts',
      code: `
        import { useController } from '@selfsame/vue'
        export default {
          methods: { save() { useController().fetch(todos.create, {}) } },
          watch: { id() { useController() } },
        }`,
      errors: [{ messageId: 'option' }, { messageId: 'option' }],
    },
    {
      name: 'in a script that is no setup',
      filename: 'A.vue',
      code: `<script>
import { useController } from '@selfsame/vue'
const controller = useController()
</script>`,
      errors: [{ messageId: 'module' }],
    },
    {
      name: 'in handlers of Svelte',
      filename: 'A.svelte',
      code: `<script>
  import { useController } from '@selfsame/svelte'
  function save() {
    useController().fetch(todos.create, {})
  }
</script>
<button onclick={save}>Save</button>
<button on:click={() => useController().resetAll()}>Leave</button>`,
      errors: [{ messageId: 'handler' }, { messageId: 'handler' }],
    },
    {
      name: 'in effects and lifecycle functions of Svelte',
      filename: 'A.svelte',
      code: `<script>
  import { useController, useDLE, useFetch } from '@selfsame/svelte'
  import { onMount } from 'svelte'
  onMount(() => {
    const todos = useDLE(getTodos)
  })
  $effect(() => { useFetch(getTodos) })
  $effect.pre(() => useController().fetch(getTodos))
</script>`,
      errors: [
        { messageId: 'later', line: 5 },
        { messageId: 'later', line: 7 },
        { messageId: 'later', line: 8 },
      ],
    },
  ],
})
