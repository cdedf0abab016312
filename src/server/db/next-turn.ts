/**
 * Lets the server answer requests in between. PGlite answers within the same turn of the event loop, so a job that only
 * waits for the database would let nobody in until it ends.
 */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
