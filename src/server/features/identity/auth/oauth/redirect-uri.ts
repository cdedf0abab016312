const maxLength = 2_000
const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
/** Apps that are addressed by a scheme without a dot, against RFC 8252. */
const knownAppSchemes: ReadonlySet<string> = new Set(['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:', 'zed:'])

const isLoopback = ({ protocol, hostname }: URL) => protocol === 'http:' && loopbackHosts.has(hostname)

/**
 * Returns true for an address that a code may be sent to: https, http on the person's own machine, or an app's scheme
 * named after its domain. Never a scheme that browsers execute or read files with.
 */
export function isRedirectUri(given: string): boolean {
  const url = URL.parse(given)
  // A comma separates stored addresses.
  if (!url || given.length > maxLength || !/^[\x21-\x7e]+$/.test(given) || /[,#\\]/.test(given)) return false
  if (url.username || url.password) return false
  if (url.protocol === 'https:' || isLoopback(url)) return true
  return knownAppSchemes.has(url.protocol) || /^[a-z][\da-z-]*(\.[\da-z-]+)+:$/.test(url.protocol)
}

/** Exact, except that programs on the person's own machine listen on any port (RFC 8252 §7.3). */
export function matchesRedirectUri(registered: readonly string[], given: string): boolean {
  if (registered.includes(given)) return true
  const withoutPort = (address: string) => {
    const url = URL.parse(address)
    if (!url || !isLoopback(url)) return null
    url.port = ''
    return url.href
  }
  const wanted = isRedirectUri(given) ? withoutPort(given) : null
  return wanted !== null && registered.some((address) => withoutPort(address) === wanted)
}

/** Whom an answer goes to, in words for the consent page. */
export function redirectTarget(address: string): { kind: 'website' | 'this-device' | 'app'; name: string } {
  const url = new URL(address)
  if (url.protocol === 'https:') return { kind: 'website', name: url.host }
  return isLoopback(url) ? { kind: 'this-device', name: url.host } : { kind: 'app', name: url.protocol.slice(0, -1) }
}
