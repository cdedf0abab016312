/**
 * Removes the slashes at the end of a path. The lookbehind starts only one match in a row of slashes: without it, thousands
 * of slashes before another character take seconds.
 */
export const trimTrailingSlashes = (path: string): string => path.replace(/(?<!\/)\/+$/, '')
