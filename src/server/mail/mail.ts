/** One message to one person. `headers` are additional ones, such as List-Unsubscribe. */
export type Mail = {
  to: string
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
}

/** Hands a message over; resolves when it was accepted, which is not yet delivered. */
export type Mailer = { send(mail: Mail): Promise<void>; close(): Promise<void> }
