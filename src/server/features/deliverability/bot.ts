import { isbot } from 'isbot'

/** Fetch a picture when a person opens the mail, on their behalf. */
const onBehalf = /GoogleImageProxy|YahooMailProxy/
/** Scanners at the door of a mailbox that do not call themselves bots. */
const scanners =
  /mimecast|barracuda|proofpoint|safelinks|urldefense|messagelabs|fireeye|symantec|trend ?micro|cisco-?esa/i

/**
 * Whether a program looked and not a person. A person's browser always says what it is, and never asks for the head of a
 * picture alone.
 */
export function isBotRequest(method: string, userAgent: string | undefined): boolean {
  if (method === 'HEAD' || !userAgent) return true
  if (onBehalf.test(userAgent)) return false
  return scanners.test(userAgent) || isbot(userAgent)
}
