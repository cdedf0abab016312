import { Readable } from 'node:stream'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Envelope, Outcome } from './newsletter-mailer.ts'

export type SmtpOptions = {
  url: string
  /** Socket timeout. Default: 10 minutes, which servers may take to respond to a message (RFC 5321, 4.5.3.2.6). */
  timeoutMs?: number
}

/** One connection to the mail server, one message at a time. */
export type SmtpConnection = {
  send(envelope: Envelope): Promise<SmtpOutcome>
  /** Number of messages sent over this connection. */
  sentCount(): number
  isOpen(): boolean
  close(): void
  /** Sends QUIT, then closes. */
  quit(): void
}

/** `isServerError`: unrelated to this message. `isPermanent`: retrying won't help. */
export type SmtpOutcome = Outcome & { isServerError?: boolean; isPermanent?: boolean }

type SmtpError = Error & { code?: string; command?: string; response?: string; responseCode?: number | false }

const connectTimeoutMs = 30_000
const maxResponseLength = 500
const chunkBytes = 65_536

/** @throws SmtpError if the connection or authentication fails */
export async function openSmtpConnection({ url, timeoutMs = 600_000 }: SmtpOptions): Promise<SmtpConnection> {
  // Loaded with the first email to keep startup fast.
  const [{ default: Connection }, { parseConnectionUrl }] = await Promise.all([
    import('nodemailer/lib/smtp-connection'),
    import('nodemailer/lib/shared'),
  ])
  const { auth, ...address } = parseConnectionUrl(url)
  const timeouts = { connectionTimeout: connectTimeoutMs, greetingTimeout: connectTimeoutMs, socketTimeout: timeoutMs }
  const connection = new Connection({ ...timeouts, ...address })
  await connect(connection)
  if (auth && !connection.authenticated) await logIn(connection, auth)

  let sentCount = 0
  let open = true
  connection.on('error', () => {})
  connection.once('end', () => {
    open = false
  })
  return {
    async send(envelope) {
      sentCount += 1
      const outcome = await transmit(connection, envelope)
      // A rejected message leaves its envelope open until RSET.
      const isReusable = outcome.kind === 'accepted' || outcome.isServerError || (await reset(connection))
      if (!isReusable) connection.close()
      return outcome
    },
    sentCount: () => sentCount,
    isOpen: () => open && !connection.destroyed,
    close: () => connection.close(),
    quit: () => connection.quit(),
  }
}

function connect(connection: SMTPConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.once('error', reject)
    connection.once('end', () => reject(new Error('The server closed the connection')))
    connection.connect((error) => (error ? reject(error) : resolve()))
  })
}

function logIn(connection: SMTPConnection, auth: Parameters<SMTPConnection['login']>[0]): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.once('end', () => reject(new Error('The server closed the connection')))
    connection.login(auth, (error) => {
      if (!error) return resolve()
      // Before closing, which rejects with a less useful error.
      reject(error)
      connection.close()
    })
  })
}

function reset(connection: SMTPConnection): Promise<boolean> {
  return new Promise((resolve) => {
    const handleEnd = () => resolve(false)
    connection.once('end', handleEnd)
    connection.reset((error) => {
      connection.off('end', handleEnd)
      resolve(!error)
    })
  })
}

/**
 * nodemailer reads the message after the server's go-ahead and sends the final dot after the last byte. If the connection
 * breaks before that, the server has not accepted the message; after that, the outcome is uncertain.
 */
function transmit(connection: SMTPConnection, { from, to, message }: Envelope): Promise<SmtpOutcome> {
  return new Promise((resolve) => {
    let dotMayBeSent = false
    const source = Readable.from(chunks(message), { objectMode: false })
    source.once('end', () => {
      dotMayBeSent = true
    })
    const settle = (error: SmtpError | null, response = '') => {
      connection.off('end', handleEnd)
      resolve(error ? classifyError(error, dotMayBeSent) : { kind: 'accepted', response: shorten(response) })
    }
    // `send` never calls back after our own close(). If the connection breaks, its error follows `end`, so wait a tick.
    const handleEnd = () => setImmediate(() => settle(new Error('The connection broke')))
    connection.once('end', handleEnd)
    connection.send({ from, to: [to], size: message.length }, source, (error, info) => settle(error, info?.response))
  })
}

/** Chunks apply backpressure, so that a break in the middle of a large message is detected as one. */
function* chunks(message: Buffer) {
  for (let at = 0; at < message.length; at += chunkBytes) yield message.subarray(at, at + chunkBytes)
}

function classifyError(error: SmtpError, dotMayBeSent: boolean): SmtpOutcome {
  const code = error.responseCode || 0
  const response = shorten(error.response || error.message)
  // If the connection broke (CONN), its buffer holds only part of a response.
  const hasResponse = code >= 400 && error.command !== 'CONN'
  if (!hasResponse && dotMayBeSent) return { kind: 'uncertain', response, isServerError: true }
  if (code === 421) return { kind: 'unsent', response, isServerError: true }
  if (hasResponse) {
    const tooLarge = code === 552
    if (error.command === 'MAIL FROM' && !tooLarge) {
      return { kind: 'unsent', response, isServerError: true, isPermanent: code >= 500 }
    }
    return { kind: code >= 500 ? 'refused' : 'deferred', response }
  }
  // Thrown by nodemailer before sending: the message exceeds the server's size limit, or the address is invalid.
  if (error.code === 'EMESSAGE' || error.code === 'EENVELOPE') return { kind: 'refused', response }
  return { kind: 'unsent', response, isServerError: true }
}

const shorten = (text: string) => text.replace(/\s+/g, ' ').slice(0, maxResponseLength)
