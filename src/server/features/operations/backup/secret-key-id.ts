import { hkdfSync } from 'node:crypto'

/** Identifies a SECRET_KEY without revealing it. */
export const secretKeyIdOf = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, 'front-counter backup', 'secret key id', 12)).toString('base64url')
