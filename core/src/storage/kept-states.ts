/** The states that came from a storage: no server has rendered the page from them. */
export const keptStates = new WeakSet<object>()
