export { onDestroy, onMount, tick, untrack } from 'svelte'
