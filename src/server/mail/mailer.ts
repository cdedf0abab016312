/** An email to one recipient. `headers` are extra ones, such as List-Unsubscribe. */
export type Email = {
  to: string
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
}

/** `send` resolves once the mail server accepts the email, which doesn't mean it's delivered. */
export type Mailer = { send(email: Email): Promise<void>; close(): Promise<void> }
