/** The path of the page with links to all pages, and to their sources. */
export const listPath = '/pages/'
