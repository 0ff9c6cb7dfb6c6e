import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const source = fileURLToPath(new URL('..', import.meta.url))

/** Returns the source of an application whose entities each have a resource, relations in both directions, and reads. */
function programOf(entities: number): string {
  const parts = [
    `import { Controller, Entity, Query, schema } from '${join(source, 'index.ts')}'`,
    `import { createResource } from '${join(source, 'rest.ts')}'`,
    'const controller = new Controller()',
  ]
  for (let index = 0; index < entities; index++) {
    const other = (index + 1) % entities
    parts.push(
      `class E${index} extends Entity { id = 0; name = ''; next: E${other} | undefined; all: E${other}[] = []; static override key = 'E${index}' }`,
      `const r${index} = createResource({ path: '/group${index}/:group/item/:id', schema: E${index} })`,
      `const q${index} = new Query(new schema.All(E${index}), (items, { id }: { id: number }) => items.filter((item) => item.id === id))`,
      `export const v${index} = [controller.read(r${index}.get, { group: 'a', id: 1 }).data?.next?.name, controller.get(q${index}, { id: 1 })?.[0]?.all, controller.read(r${index}.getList, { group: 'a' }).data?.[0]?.id] as const`,
    )
  }
  for (let index = 0; index < entities; index++) {
    const other = (index + 1) % entities
    parts.push(`E${index}.schema = { next: E${other}, all: [E${other}], at: Date }`)
  }
  return parts.join('\n')
}

function instantiationsOf(entities: number): { count: number; errors: string[] } {
  // Not among the sources: with a file that is newer, the packages would be built again beside tests that read them.
  const folder = mkdtempSync(join(tmpdir(), 'instantiations-'))
  try {
    const file = join(folder, 'application.ts')
    writeFileSync(file, programOf(entities))
    const program = ts.createProgram([file], {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      customConditions: ['selfsame-source'],
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      noUncheckedIndexedAccess: true,
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      types: [],
    })
    const errors = program
      .getSemanticDiagnostics(program.getSourceFile(file))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
    return { count: program.getInstantiationCount(), errors }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test(
  'a schema graph of 200 entities stays within its budget of type instantiations',
  { timeout: 240_000 },
  () => {
    const none = instantiationsOf(1)
    const many = instantiationsOf(200)
    expect([none.errors, many.errors]).toEqual([[], []])
    // The instantiations of an entity with its resource, its Query and three reads, plus a quarter.
    expect((many.count - none.count) / 199).toBeLessThan(2200)
  },
)
