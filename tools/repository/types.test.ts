import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

// `npm run types` is what tests types: a type that is not the one that `toEqualTypeOf` names is an error of the compiler, and so is a
// `@ts-expect-error` above what compiles. It has to read each test.

const root = join(import.meta.dirname, '../..')
const projects = ['tsconfig.tests.json', 'tsconfig.components.json', 'tsconfig.svelte.json']
/** Applications that are installed or moved by themselves. */
const isApart = (file: string) =>
  /^(conformance\/fixtures\/\w[^/]*|tools\/codemod\/(samples|moved|cases))\//.test(file)

function filesOf(project: string): string[] {
  const { config } = ts.readConfigFile(join(root, project), (file) => ts.sys.readFile(file)) as {
    config: unknown
  }
  const { fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  return fileNames.map((file) => relative(root, file))
}

test('the compiler reads each test, also those that nothing runs', () => {
  const read = new Set(projects.flatMap(filesOf))
  const folders = ['core', 'bindings', 'conformance', 'demo-apps', 'docs', 'tools']
  const tests = folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    )
    .filter((file) => /\.test(-d)?\.tsx?$/.test(file) && !/(^|\/)(node_modules|dist|build)\//.test(file))
  expect(tests.length).toBeGreaterThan(150)
  expect(tests.filter((file) => !isApart(file) && !read.has(file))).toEqual([])
})
