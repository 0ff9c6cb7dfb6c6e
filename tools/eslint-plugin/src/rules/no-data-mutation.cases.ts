import { casesOf } from '../testing.js'

const react = (body: string) => `
  import { useController, useDLE, useInfinite, useSuspense } from '@selfsame/react'
  import { todoResource } from './api'
  export function A({ id }) {
    const controller = useController()
    const todo = useSuspense(todoResource.get, { id })
    const todos = useSuspense(todoResource.getList)
    ${body}
  }`
const assigned = { messageId: 'assigned' }
const called = { messageId: 'called' }

export default casesOf({
  valid: [
    {
      name: 'copies',
      code: react(`
        const own = { ...todo, tags: [...todo.tags] }
        own.title = 'a'
        const list = [...todos]
        list.sort()
        const open = todos.filter((each) => !each.completed)
        open.push(todo)
        todos.slice().reverse()
        todos.map(({ id }) => id).sort()
        const sorted = todos.toSorted()`),
    },
    {
      name: 'what only has the same name, or is set anew',
      code: react(`
        let chosen = todo
        chosen = make()
        chosen.title = 'a'
        const { title } = todo
        ref.current = todo
        window.title = todo.title
        todos.map((todo) => { const copy = { ...todo }; copy.title = ''; return copy })
        controller.set(todoResource.get, { id }, { ...todo, title: 'a' })
        function f(todo) { todo.title = 'a' }`),
    },
    {
      name: 'hooks of others',
      code: `import { useQuery } from 'x'\nfunction A() { const todo = useQuery(); todo.a = 1 }`,
    },
    {
      name: 'state of Vue',
      filename: 'A.vue',
      code: `<script setup>
import { useSuspense } from '@selfsame/vue'
import { reactive, ref } from 'vue'
const todo = await useSuspense(todos.get, { id: 5 })
const fields = reactive({ title: todo.value.title })
fields.title = 'a'
const text = ref('')
text.value = todo.value.title
</script>
<template>
  <input v-model="fields.title" /><input v-model="text" />
  <p v-for="todo in own" :key="todo.id"><input v-model="todo.title" /></p>
</template>`,
    },
    {
      name: 'state of Svelte',
      filename: 'A.svelte',
      code: `<script>
  import { useSuspense } from '@selfsame/svelte'
  const todo = useSuspense(todos.get, () => ({ id: 5 }))
  let title = $state(todo.current.title)
  const own = $state({ ...todo.current })
</script>
<input bind:value={title} /><input bind:value={own.title} />`,
    },
  ],
  invalid: [
    {
      name: 'members',
      code: react(`
        todo.title = 'a'
        todo.author.name += 'b'
        todo.count++
        delete todo.title
        todo['title'] = 'c'
        ;(todo as { title: string }).title = 'd'
        todo!.tags[0] = 'e'
        Object.assign(todo, { title: 'f' })
        todo.createdAt.setFullYear(2000)`),
      errors: Array.from({ length: 9 }, () => assigned),
    },
    {
      name: 'lists',
      code: react(`
        todos.push(todo)
        todos[0].title = 'a'
        todos.sort()
        todo.tags.splice(0, 1)`),
      errors: [called, assigned, called, called],
    },
    {
      name: 'a sorted list that is used is made of a copy',
      code: react(`return todos.sort(byTitle).map(show).concat(todo.tags.reverse())`),
      errors: [called, called],
      output: react(`return [...todos].sort(byTitle).map(show).concat([...todo.tags].reverse())`),
    },
    {
      name: 'members of lists and of copies',
      code: react(`
        for (const each of todos) each.completed = true
        todos.forEach((each) => { each.completed = true })
        todos.filter(isOpen).map(({ tags }) => tags.push('a'))
        const [first] = todos
        first.title = 'a'
        ;[...todos].find(isOpen).title = 'b'
        const { author } = todo
        author.name = 'c'`),
      errors: [assigned, assigned, called, assigned, assigned, assigned],
    },
    {
      name: 'what other hooks and the Controller give',
      code: react(`
        const { data } = useDLE(todoResource.get, { id })
        data.title = 'a'
        const { data: list } = useInfinite(todoResource.getList)
        list.push(todo)
        const kept = controller.get(Todo, { id })
        kept.title = 'b'
        controller.read(todoResource.get, { id }).data.title = 'c'`),
      errors: [assigned, called, assigned, assigned],
    },
    {
      name: 'refs and models of Vue',
      filename: 'A.vue',
      code: `<script setup>
import { useDLE, useSuspense } from '@selfsame/vue'
const todo = await useSuspense(todos.get, { id: 5 })
const { data } = useDLE(todos.getList)
todo.value.title = 'a'
data.value.push(5)
</script>
<template><input v-model="todo.title" /><input v-model="data[0].title" /></template>`,
      errors: [assigned, called, { messageId: 'bound' }, { messageId: 'bound' }],
    },
    {
      name: 'handles and bindings of Svelte',
      filename: 'A.svelte',
      code: `<script>
  import { useDLE, useSuspense } from '@selfsame/svelte'
  const todo = useSuspense(todos.get, () => ({ id: 5 }))
  const list = useDLE(todos.getList)
  const clear = () => { todo.current.title = ''; list.data.length = 0 }
</script>
<input bind:value={todo.current.title} />`,
      errors: [assigned, assigned, { messageId: 'bound' }],
    },
  ],
})
