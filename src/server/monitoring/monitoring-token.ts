import { createHash, timingSafeEqual } from 'node:crypto'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Returns true if the header has the token, compared in constant time. */
export function hasToken(token: string, authorization: string | undefined): boolean {
  const [scheme = '', given = ''] = authorization?.split(' ') ?? []
  return timingSafeEqual(digest(given), digest(token)) && scheme.toLowerCase() === 'bearer'
}
