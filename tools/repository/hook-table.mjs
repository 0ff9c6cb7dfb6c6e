// Writes the table of all hooks into docs/hooks.md, from their types: node tools/repository/hook-table.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'prettier'
import ts from 'typescript'

const root = join(import.meta.dirname, '../..')
const bindings = /** @type {const} */ (['react', 'vue', 'svelte'])
const page = join(root, 'docs/hooks.md')
const begin = '<!-- hooks: made by tools/repository/hook-table.mjs -->\n'
const end = '\n<!-- end of hooks -->'

/** What each hook is for, and where its guide is. */
const purposes = /** @type {Readonly<Record<string, string>>} */ ({
  useCache: 'reads [what is cached](reading.md#which-hook), and sends no request',
  useCancelling: 'aborts [the earlier request](rest.md#cancellation) when the arguments change',
  useController: 'sends [mutations](mutations.md), and writes to the cache',
  useDLE: 'reads with [`data`, `loading` and `error`](reading.md#which-hook)',
  useDLEAll: 'the same for [several calls](reading.md#in-parallel)',
  useDebounce: 'waits until [a value stops changing](reading.md#fetch-when-a-filter-changes)',
  useFetch:
    'sends the request, and reads nothing: [prefetching](reading.md#prefetch-and-show-the-state-of-a-call)',
  useFetching: 'counts the requests under way, for a progress bar of the whole page',
  useInfinite: '[infinite scroll](pagination.md#infinite-scroll)',
  useLast: 'keeps the last data while [a new filter loads](reading.md#fetch-when-a-filter-changes)',
  useLive: 'reads, and [stays connected](live.md)',
  useLoading: 'shows [a spinner while saving](mutations.md#show-a-spinner-while-saving), and the error',
  useMutations:
    'lists [the mutations under way](mutations.md#show-what-the-server-refused), and their errors',
  useOutbox: 'lists [the changes that wait for a network](offline.md#show-what-waits)',
  usePrefetch: 'prefetches [on hover or in view](reading.md#prefetch-and-show-the-state-of-a-call)',
  useProgress: 'shows how much of [a file](media.md) was sent',
  useQuery: 'reads [a record or a computed value](data-model.md#queries), and sends no request',
  useSelect: 'reads a part of the data, so that fewer changes re-render',
  useStatus:
    'tells whether a call [is fetched, stale or offline](reading.md#prefetch-and-show-the-state-of-a-call)',
  useSubscription: 'opens [a connection](live.md), and reads nothing',
  useSuspense: 'reads data that [is always there](reading.md#which-hook)',
  useSuspenseAll: 'the same for [several calls](reading.md#in-parallel)',
})

/**
 * What a hook takes and gives in one binding.
 *
 * @typedef {{ readonly args: readonly string[], readonly gives: readonly string[] }} Hook
 */

/** The hooks of each binding, by name. @returns {Readonly<Record<'react' | 'vue' | 'svelte', ReadonlyMap<string, Hook>>>} */
export function readHooks() {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.tests.json'), (path) => ts.sys.readFile(path))
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const entries = bindings.map((binding) => join(root, `bindings/${binding}/src/index.ts`))
  const program = ts.createProgram(entries, options)
  const checker = program.getTypeChecker()
  const [react, vue, svelte] = entries.map((entry) => {
    const source = program.getSourceFile(entry)
    const module = source && checker.getSymbolAtLocation(source)
    if (module === undefined) throw new Error(`${entry} is no module.`)
    const hooks = checker
      .getExportsOfModule(module)
      .filter(({ name }) => /^use[A-Z]/.test(name))
      .map((symbol) => {
        const own = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
        return /** @type {const} */ ([symbol.name, hookOf(own, checker)])
      })
    return new Map(hooks.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
  if (react === undefined || vue === undefined || svelte === undefined)
    throw new Error('A binding is missing.')
  return { react, vue, svelte }
}

/** @param {ts.Symbol} symbol @param {ts.TypeChecker} checker @returns {Hook} */
function hookOf(symbol, checker) {
  const [signature] = checker.getTypeOfSymbol(symbol).getCallSignatures()
  if (signature === undefined) throw new Error(`${symbol.name} is no function.`)
  const args = signature.getParameters().map(({ name, valueDeclaration: place }) => {
    if (place === undefined || !ts.isParameter(place)) return name
    if (place.dotDotDotToken !== undefined) return `…${name}`
    return place.questionToken !== undefined || place.initializer !== undefined ? `${name}?` : name
  })
  return { args, gives: membersOf(signature.getReturnType()) }
}

/**
 * The members of a result that the bindings declare; none of a value such as data or a number.
 *
 * @param {ts.Type} type
 */
function membersOf(type) {
  if (type.flags & ts.TypeFlags.Void) return ['nothing']
  if (type.getSymbol()?.name === 'Controller') return ['a Controller']
  if (type.flags & ts.TypeFlags.NumberLike) return ['the value']
  const names = type
    .getProperties()
    .map(({ name }) => name)
    .filter((name) => /^\w+$/.test(name) && !name.startsWith('__') && name !== 'then' && name !== 'subscribe')
  return names.length === 0 || names.includes('sideEffect') || names.includes('concat')
    ? ['the value']
    : names.toSorted()
}

/** What a hook gives, in a cell of the table. @param {Hook | undefined} hook */
function cell(hook) {
  const { gives } = hook ?? { gives: ['none'] }
  const words = new Set(['none', 'nothing', 'the value', 'a Controller'])
  return gives.map((name) => (words.has(name) ? name : `\`${name}\``)).join(', ')
}

/** The tables, as they stand in the docs: what each hook is for, and what it returns. */
export async function hookTable({ react, vue, svelte } = readHooks()) {
  const names = [...new Set([react, vue, svelte].flatMap((hooks) => Array.from(hooks.keys())))].toSorted()
  const uses = names.map((name) => {
    const hook = vue.get(name) ?? react.get(name) ?? svelte.get(name)
    const purpose = purposes[name]
    if (purpose === undefined) throw new Error(`Say what ${name} is for.`)
    return `| \`${name}(${(hook?.args ?? []).join(', ')})\` | ${purpose} |`
  })
  const results = names.map(
    (name) =>
      `| \`${name}\` | ${cell(react.get(name))} | ${cell(vue.get(name))} | ${cell(svelte.get(name))} |`,
  )
  const text = [
    '| hook | what it is for |',
    '| -- | -- |',
    ...uses,
    '',
    '## What each returns',
    '',
    '| hook | in React | in Vue | in Svelte |',
    '| -- | -- | -- | -- |',
    ...results,
  ].join('\n')
  return (await format(text, { parser: 'markdown' })).trim()
}

/** The table that is in the docs. */
export function writtenTable() {
  const text = readFileSync(page, 'utf8')
  return text.slice(text.indexOf(begin) + begin.length, text.indexOf(end)).trim()
}

if (process.argv[1] === import.meta.filename) {
  const text = readFileSync(page, 'utf8')
  const before = text.slice(0, text.indexOf(begin) + begin.length)
  writeFileSync(page, `${before}\n${await hookTable()}\n${text.slice(text.indexOf(end))}`)
}
