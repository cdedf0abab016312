import { isbot } from 'isbot'

/** Image proxies, which load images when a person opens the email. */
const imageProxies = /GoogleImageProxy|YahooMailProxy/
/** Email security scanners that don’t identify as bots. */
const scanners =
  /mimecast|barracuda|proofpoint|safelinks|urldefense|messagelabs|fireeye|symantec|trend ?micro|cisco-?esa/i

/** Returns true if an open or click came from a bot. Browsers always send a User-Agent and never a HEAD request. */
export function isBotRequest(method: string, userAgent: string | undefined): boolean {
  if (method === 'HEAD' || !userAgent) return true
  if (imageProxies.test(userAgent)) return false
  return scanners.test(userAgent) || isbot(userAgent)
}
