import type { SecretBox } from '#server/config/secret-box.ts'

type Secrets = Pick<SecretBox, 'sign' | 'verify'>
const purpose = 'poll vote'
const signed = (issueId: string, userId: string) => `${userId} ${issueId}`

/**
 * Identifies the reader of an email in a link to its poll. Signed, not stored, and valid for one drop. It can be
 * forwarded, so all it can do is vote.
 */
export const writePollToken = (secrets: Secrets, issueId: string, userId: string): string =>
  `${userId}.${secrets.sign(purpose, signed(issueId, userId))}`

/** The reader's id, or null if the signature is invalid. */
export function readPollToken(secrets: Secrets, issueId: string, token: string): string | null {
  const [userId = '', signature = '', ...more] = token.split('.')
  if (more.length > 0 || !/^[0-9a-f-]{36}$/.test(userId)) return null
  return secrets.verify(purpose, signed(issueId, userId), signature) ? userId : null
}
