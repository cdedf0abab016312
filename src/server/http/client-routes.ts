import { words } from '#shared/domain/words.ts'
import { trimTrailingSlashes } from './trim-trailing-slashes.ts'

/** Paths that get shell.html. Any other path is the 404 page. */
const exact: ReadonlySet<string> = new Set(
  words(`
  /auth /auth/confirm /auth/forgot /auth/link /auth/mail /auth/second-step /admin /portal /account /billing/return
  /gift /oauth/consent /reset-password /staff/join /team/join /unsubscribe
`),
)
const below = ['/portal/', '/account/', '/admin/', '/checkout/', '/offer/', '/gift/', '/talk/', '/items/']

/** Where the application's pages are. */
export const clientPaths: readonly string[] = [...exact, ...below]

/** The portal as a member sees it, for staff. */
export const isViewAs = (path: string): boolean => path === '/view-as' || path.startsWith('/view-as/')

export function isClientRoute(path: string): boolean {
  const trimmed = path.length > 1 ? trimTrailingSlashes(path) : path
  return exact.has(trimmed) || below.some((prefix) => trimmed.startsWith(prefix))
}

const protocolPrefixes = words(`
  /auth/v1 /rest/v1 /functions/v1 /webhooks /downloads /sandbox /mail /unsubscribe/one-click
`)

/** Paths of APIs, whose 404 responses are always JSON. */
export const isProtocolPath = (path: string): boolean =>
  protocolPrefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
