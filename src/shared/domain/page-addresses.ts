import { words } from './words.ts'

/** First parts of addresses that the application answers itself. Files, which have a dot, can't be pages anyway. */
const reserved: ReadonlySet<string> = new Set(
  words(`
  about accessibility account admin announcement api archives assets audio auth billing checkout downloads drops exports feed
  files free functions gift glossary guide-pages health healthz items mail mcp media method metrics oauth offer pages poll portal privacy
  readyz reset-password rest rss safety sandbox shared staff t talk team terms unsubscribe view-as webhooks withdraw
`),
)

/** @param free addresses of the product's pages that the publisher hides */
export const isReservedAddress = (path: string, free: readonly string[] = []): boolean =>
  reserved.has(path) && !free.includes(path)

/** "/Opening-Hours/" as "opening-hours". */
export const normalizePageAddress = (text: string): string =>
  text
    .trim()
    .replace(/^\/+|\/+$/g, '')
    .toLowerCase()

const maxLength = 80

/** Says what to fix in the address of a page, or null. Expects a normalized address. */
export function findAddressProblem(path: string, free: readonly string[] = []): string | null {
  if (path === '') return 'Enter an address, such as /opening-hours.'
  if (isReservedAddress(path, free)) return `The application uses the address /${path} itself. Choose another one.`
  if (path.length > maxLength) return `An address can have up to ${maxLength} characters.`
  if (/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(path)) return null
  return 'An address has only the letters a to z, digits and hyphens, such as /opening-hours.'
}

/** Where members read a page of the publisher. */
export const portalAddressOf = (path: string): string => `/portal/pages/${path}`
