/** A Message-ID with a delivery token as its local part. */
const tokenMessageId = /^<([0-9a-z]+-[0-9a-f]{32})@/

/**
 * Envelope sender (VERP): the bounce address with the delivery token, so that every bounce identifies its delivery. Null
 * for an email without a token, such as a test email.
 */
export function returnPathOf(bounceAddress: string | null, messageId: string): string | null {
  const [, token] = tokenMessageId.exec(messageId) ?? []
  const [name, domain] = bounceAddress?.split('@') ?? []
  return token && name && domain ? `${name}+${token}@${domain}` : null
}
