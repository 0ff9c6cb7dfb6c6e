import { compileSvelte } from './bundlers.mjs'

/** @this {{ resourcePath: string }} @param {string} text */
export default function load(text) {
  // eslint-disable-next-line oxc/no-this-in-exported-function
  return compileSvelte(this.resourcePath, text)
}
