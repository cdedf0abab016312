import { createHash, randomBytes } from 'node:crypto'
import type { SecretBox } from '#server/config/secret-box.ts'

export const refreshPurpose = 'refresh-token'

/** The first token of a session, and of a session that was raised to a second factor. */
export const newRefreshToken = () => randomBytes(32).toString('base64url')

/**
 * The one successor of a token. It is computed, not drawn: the table keeps hashes only, and yet the token that is active
 * can be handed out again to a tab that lost the race.
 */
export const successorOf = (secrets: SecretBox, token: string) => secrets.sign(refreshPurpose, token)

/** What the table holds. The tokens are 256 random bits, so a plain hash suffices. */
export const hashRefreshToken = (token: string) => createHash('sha256').update(token).digest('hex')
