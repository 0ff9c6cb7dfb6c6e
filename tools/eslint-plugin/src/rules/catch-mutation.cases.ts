import { casesOf } from '../testing.js'

const react = (handler: string, before = '') => `
  import { useController, useLoading } from '@selfsame/react'
  import { todoResource } from './api'
  export function A({ id }) {
    const controller = useController()
    ${before}
    return <form onSubmit={${handler}} />
  }`
const vue = (handler: string, before = '') => `<script setup>
import { useController } from '@selfsame/vue'
const controller = useController()
${before}
</script>
<template><form @submit.prevent="${handler}" /></template>`
const svelte = (handler: string, before = '') => `<script>
  import { useController, useLoading } from '@selfsame/svelte'
  const controller = useController()
  ${before}
</script>
<form onsubmit={${handler}}></form>`

const dropped = [{ messageId: 'dropped' }]
const send = 'controller.fetch(todoResource.create, { title })'

export default casesOf({
  valid: [
    { name: 'useLoading', code: react('save', `const { run: save } = useLoading(() => ${send})`) },
    {
      name: 'useLoading, called',
      code: react('() => save()', `const { run: save } = useLoading(() => ${send})`),
    },
    { name: 'catch', code: react(`() => ${send}.catch(show)`) },
    { name: 'then with two functions', code: react(`() => ${send}.then(leave, show)`) },
    { name: 'catch at the end', code: react(`() => ${send}.then(leave).finally(end).catch(show)`) },
    { name: 'void', code: react(`() => { void ${send} }`) },
    { name: 'try', code: react(`async () => { try { await ${send} } catch (error) { show(error) } }`) },
    { name: 'allSettled', code: react(`() => { Promise.allSettled([${send}]) }`) },
    { name: 'a read', code: react('() => controller.fetch(todoResource.get, { id })') },
    {
      name: 'handed to a function that is not known',
      code: react(`() => { track(${send}); const sent = ${send} }`),
    },
    { name: 'no handler', code: react('save', `useEffect(() => { ${send} }, []); const f = () => ${send}`) },
    { name: 'no Controller', code: react('() => other.fetch(todoResource.create, {})') },
    { name: 'a prop', code: react('() => onSave()') },
    {
      name: 'a local function that handles it',
      code: react('save', `const save = () => ${send}.catch(show)`),
    },
    {
      name: 'handled where the function is called',
      code: react('() => save().catch(show)', `const save = () => ${send}`),
    },
    {
      name: 'a component, which may handle it',
      code: react('undefined').replace(
        '<form onSubmit={undefined} />',
        `<TodoForm onSave={() => ${send}} />`,
      ),
    },
    {
      name: 'a component of Svelte',
      filename: 'A.svelte',
      code: svelte('undefined').replace(
        '<form onsubmit={undefined}></form>',
        `<TodoForm onsave={() => ${send}} />`,
      ),
    },
    {
      name: 'Vue handles what a handler returns',
      filename: 'A.vue',
      code: vue('save', `const save = () => ${send}`),
    },
    { name: 'Vue: the text is the result', filename: 'A.vue', code: vue(send) },
    { name: 'Vue: a function in the text', filename: 'A.vue', code: vue(`() => ${send}`) },
    { name: 'Vue: async', filename: 'A.vue', code: vue('save', `async function save() { await ${send} }`) },
    { name: 'Svelte: void', filename: 'A.svelte', code: svelte(`() => void ${send}`) },
    {
      name: 'Svelte: run',
      filename: 'A.svelte',
      code: svelte('save.run', `const save = useLoading(() => ${send})`),
    },
  ],
  invalid: [
    { name: 'a function with one expression', code: react(`() => ${send}`), errors: dropped },
    { name: 'a statement', code: react(`(event) => { event.preventDefault(); ${send} }`), errors: dropped },
    { name: 'a function by name', code: react('save', `function save() { ${send} }`), errors: dropped },
    {
      name: 'a callback',
      code: react('save', `const save = useCallback(() => ${send}, [])`),
      errors: dropped,
    },
    {
      name: 'what a local function returns',
      code: react('() => save()', `const save = () => ${send}`),
      errors: dropped,
    },
    { name: 'awaited without try', code: react(`async () => { await ${send}; leave() }`), errors: dropped },
    {
      name: 'a try without catch',
      code: react(`async () => { try { await ${send} } finally { end() } }`),
      errors: dropped,
    },
    {
      name: 'then with one function',
      code: react(`() => { ${send}.then(leave).finally(end) }`),
      errors: dropped,
    },
    { name: 'a condition', code: react(`() => isValid && ${send}`), errors: dropped },
    { name: 'one of two', code: react(`() => (isNew ? ${send} : reset())`), errors: dropped },
    {
      name: 'several',
      code: react(`async () => { await Promise.all([${send}, ${send}]) }`),
      errors: [...dropped, ...dropped],
    },
    {
      name: 'once for two handlers',
      code: react('save', `const save = () => ${send}; const b = <p onClick={save} />`),
      errors: dropped,
    },
    {
      name: 'a Controller of a module',
      code: `
        import { controller } from './api'
        export const A = () => <button onClick={() => controller.fetch(todoResource.delete, { id: 5 })} />`,
      errors: dropped,
    },
    {
      name: 'Vue: dropped in a function',
      filename: 'A.vue',
      code: vue('save', `function save() { ${send}; leave() }`),
      errors: dropped,
    },
    {
      name: 'Vue: one of several statements',
      filename: 'A.vue',
      code: vue(`${send}; leave()`),
      errors: dropped,
    },
    {
      name: 'Vue: a chain in a function',
      filename: 'A.vue',
      code: vue(`() => { ${send}.then(leave) }`),
      errors: dropped,
    },
    { name: 'Svelte: a function', filename: 'A.svelte', code: svelte(`() => ${send}`), errors: dropped },
    {
      name: 'Svelte: by name',
      filename: 'A.svelte',
      code: svelte('save', `async function save() { await ${send} }`),
      errors: dropped,
    },
    {
      name: 'Svelte: the old form',
      filename: 'A.svelte',
      code: svelte('undefined').replace('onsubmit={undefined}', `on:submit={() => ${send}}`),
      errors: dropped,
    },
  ],
})
