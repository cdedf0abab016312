import { type DkimSigner, type HeaderField, writeMessage } from './dkim.ts'

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

/** Signs newsletter emails and sends them through the transport. */
export type NewsletterMailer = Pick<MailTransport, 'slots' | 'ready' | 'transportError' | 'close'> & {
  from: { name: string; address: string }
  send(to: string, mail: { messageId: string; headers: readonly HeaderField[]; body: Buffer }): Promise<Outcome>
}

type NewsletterMailerOptions = {
  transport: MailTransport
  signer: DkimSigner | null
  from: NewsletterMailer['from']
  /** Envelope sender for bounces. Default: the sender address. */
  bounceAddress?: string | null
}

export function createNewsletterMailer({
  transport,
  signer,
  from,
  bounceAddress = null,
}: NewsletterMailerOptions): NewsletterMailer {
  return {
    from,
    slots: transport.slots,
    ready: () => transport.ready(),
    transportError: () => transport.transportError(),
    close: () => transport.close(),
    async send(to, { messageId, headers, body }) {
      const sender = returnPathOf(bounceAddress, messageId) ?? from.address
      return transport.send({ from: sender, to, message: await writeMessage(headers, body, signer) })
    },
  }
}
