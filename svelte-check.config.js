// What svelte-check compiles with: it takes this in place of the configurations of applications, which need their packages.
export default { compilerOptions: { experimental: { async: true } } }
