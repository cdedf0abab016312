import type { Context } from 'hono'
import type { AuthDeps } from '../auth-deps.ts'

export type RedirectRules = { siteUrl: string; allowList: readonly string[] }

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
/** Schemes that run code or read local data in the browser. Never allowed. */
const dangerous: ReadonlySet<string> = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:'])

/** The first allowed target of: the requested one, the referring page, the site. Never an error, as the user can't fix it. */
export function resolveRedirect(rules: RedirectRules, asked: string | undefined, referer?: string): string {
  for (const candidate of [asked, referer]) {
    if (candidate && isAllowedRedirect(rules, candidate)) return candidate
  }
  return rules.siteUrl
}

/** The allowed target of a request's `redirect_to` parameter. */
export const requestedRedirect = ({ config }: Pick<AuthDeps, 'config'>, c: Context): string =>
  resolveRedirect(
    { siteUrl: config.publicUrl, allowList: config.auth.redirectAllowList },
    c.req.query('redirect_to'),
    c.req.header('referer'),
  )

export function isAllowedRedirect({ siteUrl, allowList }: RedirectRules, candidate: string): boolean {
  const url = parsePlainly(candidate)
  if (!url) return false
  const site = new URL(siteUrl)
  const isSameSite =
    url.protocol === site.protocol &&
    url.hostname === site.hostname &&
    (url.port === site.port || loopback.has(url.hostname))
  if (isSameSite) return true
  const [withoutFragment = ''] = candidate.split('#')
  return allowList.some((pattern) => globToRegExp(pattern).test(withoutFragment))
}

/**
 * Refuses URLs that parsers may interpret differently: whitespace, backslashes, user info, and hosts that the URL standard
 * rewrites, such as decimal or octal IP addresses.
 */
function parsePlainly(candidate: string): URL | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  if (candidate.length > 2048 || /[\s\\\x00-\x1f\x7f]/.test(candidate) || !URL.canParse(candidate)) return null
  const url = new URL(candidate)
  if (dangerous.has(url.protocol) || url.username || url.password) return null
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return url
  const written = /^https?:\/\/([^/?#]*)/i.exec(candidate)?.[1] ?? ''
  const host = written.replace(/:\d*$/, '').toLowerCase()
  if (host !== url.hostname) return null
  const isIp = /^[\d.]+$/.test(host) || host.startsWith('[')
  return isIp && !loopback.has(host) ? null : url
}

/** `*` matches up to a dot or slash, `**` anything, `?` one character other than those. */
function globToRegExp(pattern: string): RegExp {
  const source = pattern.replace(/\*\*|\*|\?|[.+^${}()|[\]\\]/g, (part) => {
    if (part === '**') return '.*'
    if (part === '*') return '[^./]*'
    if (part === '?') return '[^./]'
    return `\\${part}`
  })
  return new RegExp(`^${source}$`)
}
