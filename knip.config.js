// What no entry of the packages reaches: files, exports, types. Tests do not count.
export default {
  workspaces: {
    core: {
      entry: ['src/*.ts!', 'src/util/{development,signals.native}.ts!'],
      project: ['src/**/*.ts!', '!src/**/{*.test,*.test-d,testing-*}.ts!', '!src/**/*.*.test.ts!'],
    },
    'bindings/*': {
      entry: [
        'src/{index,devtools,ssr,ssr-page,testing,testing.svelte,next,next-client,nuxt,kit}.{ts,tsx}!',
        'src/focus.native.ts!',
        // Nuxt loads them by path.
        'src/nuxt/plugin.*.ts!',
      ],
      project: ['src/**/*.{ts,tsx,svelte}!', '!src/**/*.{test,test-d}.{ts,tsx}!'],
    },
    'tools/eslint-plugin': {
      entry: ['src/index.ts!'],
      project: ['src/**/*.ts!', '!src/**/{*.test,*.cases,testing}.ts!'],
    },
    'tools/devtools': {
      entry: ['src/{index,tanstack,vue}.ts!'],
      project: ['src/**/*.ts!', '!src/**/*.test.ts!'],
    },
    'tools/codemod': {
      entry: ['src/cli.ts!'],
      project: ['src/**/*.ts!', '!src/**/*.test.ts!'],
    },
    'tools/openapi': {
      entry: ['src/{cli,mocks,msw}.ts!'],
      project: ['src/**/*.ts!', '!src/**/{*.test,testing-*}.ts!'],
    },
  },
  ignoreWorkspaces: ['.', 'conformance', 'demo-apps/*', 'tools/create-selfsame'],
  // Modules that Nuxt makes.
  ignoreIssues: { 'bindings/vue/src/nuxt/plugin.*.ts': ['unresolved'] },
  // A type that the file itself uses stands in its declarations.
  ignoreExportsUsedInFile: { type: true, interface: true },
  compilers: {
    svelte: (text) =>
      [...text.matchAll(/^<script[^>]*>([\s\S]*?)^<\/script>/gm)].map(([, code]) => code).join('\n'),
  },
}
