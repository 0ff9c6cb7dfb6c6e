/** The path of the REST server for the page: the page's own server proxies it. */
export const urlPrefix = '/rest'
