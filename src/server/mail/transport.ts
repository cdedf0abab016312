/** `message` is serialized with CRLF line breaks. */
export type Envelope = { from: string; to: string; message: Buffer }

/**
 * `accepted`, `refused` (permanently) and `deferred` (temporarily) are the server's response to this message. `unsent`:
 * not accepted, for a reason unrelated to the recipient. `uncertain`: the message may have arrived, but its response didn't.
 */
export type Outcome = { kind: 'accepted' | 'refused' | 'deferred' | 'unsent' | 'uncertain'; response: string }

/** An error of the mail server or its configuration, unrelated to a single message. */
export type TransportError = {
  response: string
  /** Failed attempts since the last response to a message. */
  failures: number
  /** Retrying won't help, such as after a wrong password or a rejected sender address. */
  isPermanent: boolean
}

export type MailTransport = {
  /** Maximum number of concurrent messages; further ones are queued. */
  slots: number
  /** Never rejects. */
  send(envelope: Envelope): Promise<Outcome>
  /** Resolves at once, or after a transport error once the server is reachable again. */
  ready(): Promise<void>
  transportError(): TransportError | null
  /** Closes all connections. Pending messages resolve with their outcome; further ones are `unsent`. */
  close(): Promise<void>
}
