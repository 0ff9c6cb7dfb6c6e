/** The server's address as the page sees it: the server of the page passes on what begins so. */
export const urlPrefix = '/rest'
