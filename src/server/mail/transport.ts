/** A message as it goes over the wire: headers, empty line, body, all in CRLF. */
export type Envelope = { from: string; to: string; message: Buffer }

/**
 * What is known of a message that was handed over. `accepted`, `refused` (for good) and `deferred` (for now) are answers
 * about this message. `unsent`: it was surely not taken, and not because of the reader. `uncertain`: the last byte may
 * have arrived and the answer did not.
 */
export type Outcome = { kind: 'accepted' | 'refused' | 'deferred' | 'unsent' | 'uncertain'; response: string }

/** Something is wrong with the mail server as a whole, or with how we may use it. */
export type TransportError = {
  response: string
  /** Tries that failed since the last answer about a message. */
  failures: number
  /** Waiting alone will not mend it: a wrong password, a sender address that may not be used. */
  lasting: boolean
}

export type MailTransport = {
  /** How many messages are under way at once at most; more wait for their turn. */
  slots: number
  /** Never rejects: every end is an outcome. */
  send(envelope: Envelope): Promise<Outcome>
  /** Resolves when it makes sense to hand something over: after a trouble, when the server can be reached again. */
  ready(): Promise<void>
  transportError(): TransportError | null
  /** Breaks what is under way, each with its outcome, and takes nothing more. */
  close(): Promise<void>
}
