import type { Outcome } from './newsletter-mailer.ts'

/** An email to one recipient. `headers` are extra ones, such as List-Unsubscribe. */
export type Email = {
  to: string
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
}

/** The mail server's outcome for an email that it didn't accept. */
export class EmailNotAccepted extends Error {
  override name = 'EmailNotAccepted'
  readonly kind: Exclude<Outcome['kind'], 'accepted'>

  constructor({ kind, response }: { kind: Exclude<Outcome['kind'], 'accepted'>; response: string }) {
    super(`The mail server rejected the email (${kind}): ${response}`)
    this.kind = kind
  }
}

/** True if the mail server was down or asked to try later, so the email certainly hasn't arrived. */
export const mayBeAcceptedLater = (error: unknown): boolean =>
  error instanceof EmailNotAccepted && (error.kind === 'unsent' || error.kind === 'deferred')

/** `send` resolves once the mail server accepts the email, which doesn't mean it's delivered. Rejects with `EmailNotAccepted`. */
export type Mailer = { send(email: Email): Promise<void>; close(): Promise<void> }
