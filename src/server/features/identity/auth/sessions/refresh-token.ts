import { createHash, randomBytes } from 'node:crypto'
import type { SecretBox } from '#server/config/secret-box.ts'

export const refreshPurpose = 'refresh-token'

/** First token of a new or upgraded session. */
export const newRefreshToken = () => randomBytes(32).toString('base64url')

/**
 * Derives a token's only successor. Although only hashes are stored, this lets a tab that lost a race receive the active token.
 */
export const successorOf = (secrets: SecretBox, token: string) => secrets.sign(refreshPurpose, token)

/** The stored form. A plain hash is enough for 256 random bits. */
export const hashRefreshToken = (token: string) => createHash('sha256').update(token).digest('hex')
