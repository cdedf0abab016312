import { createHmac } from 'node:crypto'

/**
 * The `Stripe-Signature` header for a body.
 * @param sentAt second of this attempt; receivers reject signatures older than five minutes
 */
export function signatureHeader(secret: string, body: string, sentAt: number): string {
  const mac = createHmac('sha256', secret).update(`${sentAt}.${body}`).digest('hex')
  return `t=${sentAt},v1=${mac}`
}
