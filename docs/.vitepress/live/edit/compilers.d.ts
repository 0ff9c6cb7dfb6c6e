// What the compiler of Svelte imports has no types.
declare module 'svelte/internal/client'
