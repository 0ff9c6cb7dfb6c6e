import { transform } from 'esbuild'

/** Imports of names from the module of the flag: `#development` in core, core's entry for bindings in a binding. */
const imports = /^import \{ ([^}]*) \} from '(?:#development|@selfsame\/core\/bindings)';$/gm

/** Where it is declared. */
const declaration = /^(export const development = )true;$/m

/** A class at the top level, as esbuild prints it. */
const classes = /^(export )?class (\w+)([^]*?)^\}$/gm

/**
 * Writes the flag `development` as a literal wherever a module reads it, so that every bundler sees what is dead before it counts
 * what is used. esbuild inlines an imported constant only afterwards, and keeps what nothing but dead code used.
 *
 * For production, a class becomes the value of a constant. In a class declaration esbuild gives the parameters of methods other letters
 * than those of functions, which compresses worse.
 *
 * @param {string} code - an ES module, as TypeScript emits it
 * @param {boolean} value
 * @returns {Promise<string>} the module without the import of the flag, and without comments
 * @throws {Error} if the flag is imported in another way, such as under another name
 */
export async function withFlag(code, value) {
  const withoutImport = code.replace(imports, (statement, list) => {
    const names = list.split(', ')
    const others = names.filter((name) => name !== 'development')
    if (others.length === names.length) return statement
    return others.length === 0 ? '' : statement.replace(list, others.join(', '))
  })
  const module = withoutImport.replace(declaration, `$1${value};`)
  const { code: written } = await transform(module, {
    loader: 'js',
    target: 'esnext',
    define: { development: String(value) },
  })
  const left = /^import [^;]*\bdevelopment\b[^;]* from .*$/m.exec(written)
  if (left) throw new Error(`The flag is imported in a way that the build does not know: ${left[0]}`)
  return value ? written : written.replace(classes, '$1const $2 = class$3};')
}
