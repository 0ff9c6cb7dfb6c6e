// What the packages carry for those who read without a network: `llms.txt` in each, and the guides in `docs` of the core. Made by
// tools/repository/build.mjs.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'

const root = join(import.meta.dirname, '../..')
const docs = join(root, 'docs')
const repository = 'https://github.com/selfsame-data/selfsame/blob/main'

/** Pages that help to choose, not to write code; `assistants.md` is `llms.txt`. */
const isLeftOut = (/** @type {string} */ page) =>
  /^(README|assistants|benchmarks|bundle-size|comparison|what-it-is)\.md$/.test(page)

/** The pages that the core carries: the guides, and those of the error codes. */
function pages() {
  return ['', 'server-rendering/', 'errors/'].flatMap((folder) =>
    readdirSync(join(docs, folder))
      .filter((name) => name.endsWith('.md') && !(folder === '' && isLeftOut(name)))
      .toSorted()
      .map((name) => folder + name),
  )
}

const read = (/** @type {string} */ page) => readFileSync(join(docs, page), 'utf8')

/**
 * The guides as Markdown, by their path below `docs` of the core. Links lead to each other, and to the repository for what the
 * package does not have. Pictures are their descriptions.
 *
 * @returns {ReadonlyMap<string, string>}
 */
export function packedGuides() {
  const carried = new Set(pages())
  return new Map([...carried].map((page) => [page, packed(page, carried)]))
}

/** @param {string} page @param {ReadonlySet<string>} carried */
function packed(page, carried) {
  const linkTo = (/** @type {string} */ target) => {
    if (/^([a-z]+:|#)/i.test(target)) return target
    const [file = '', ...hash] = target.split(/(?=#)/)
    const path = posix.join(posix.dirname(page), file)
    if (carried.has(path)) return target
    if (carried.has(posix.join(path, 'README.md'))) return posix.join(file, 'README.md') + hash.join('')
    // The reference is made of the declarations, which the package has.
    if (!existsSync(join(docs, path))) return undefined
    return `${repository}/${posix.join('docs', path)}${hash.join('')}`
  }
  return mapText(read(page), (text) =>
    text
      .replace(/<!--[\s\S]*?-->\n*/g, '')
      .replace(/\[?!\[([^\]]*)\]\([^)]*\)(?:\]\([^)]*\))?/g, '_$1_')
      .replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_, label, target) => {
        const changed = linkTo(target)
        return changed === undefined ? label : `[${label}](${changed})`
      }),
  )
}

/** Changes what is no code: neither a fence nor a span. @param {string} page @param {(text: string) => string} change */
function mapText(page, change) {
  return page
    .split(/(^ *```[\s\S]*?^ *```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('')
}

/** The compact guide, which each package carries: the page of the docs without its links, and a list of the guides. */
export function compactGuide() {
  const page = mapText(read('assistants.md'), (text) => text.replace(/\[([^\]\n]+)\]\([\w./#-]+\)/g, '$1'))
  const list = pages()
    .filter((name) => !name.startsWith('errors/') || name === 'errors/README.md')
    .map((name) => `- \`docs/${name}\`: ${lineOf(read(name))}`)
  return `${page.trimEnd()}\n\n## All guides\n\nThey are in \`node_modules/@selfsame/core/docs\`. Each line has the title of a guide, and its sections.\n\n${list.join('\n')}\n`
}

/** The title of a page, and those of its sections. @param {string} page */
function lineOf(page) {
  const [title = '', ...sections] = [
    ...page.replace(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/^##? (.+)$/gm),
  ].map(([, heading = '']) => heading)
  return sections.length === 0 ? title : `${title}: ${sections.join('; ')}`
}

/** The entries of a package that users import, such as `@selfsame/core/rest`. @param {string} folder @returns {string[]} */
export function entriesOf(folder) {
  const { name, exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  return Object.keys(exports)
    .filter((entry) => entry !== './package.json')
    .map((entry) => name + entry.slice(1))
}
