/** One message to one person. `headers` are additional ones, such as List-Unsubscribe. */
export type Email = {
  to: string
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
}

/** Hands a message over; resolves when it was accepted, which is not yet delivered. */
export type Mailer = { send(mail: Email): Promise<void>; close(): Promise<void> }
