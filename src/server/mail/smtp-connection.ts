import { Readable } from 'node:stream'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Envelope, Outcome } from './transport.ts'

export type SmtpOptions = {
  url: string
  /**
   * How long the server may be silent. It may take its time after a message (RFC 5321, 4.5.3.2.6): who hangs up earlier
   * never knows.
   */
  silenceMs?: number
}

/** One connection to the mail server, one message at a time. */
export type SmtpConnection = {
  send(envelope: Envelope): Promise<SmtpOutcome>
  /** Messages that it has carried. */
  carried(): number
  isOpen(): boolean
  close(): void
  /** Says goodbye first. */
  quit(): void
}

/** `lasting` and `ofServer` tell of the server as a whole: the outcome has nothing to do with this message. */
export type SmtpOutcome = Outcome & { ofServer?: boolean; lasting?: boolean }

type SmtpError = Error & { code?: string; command?: string; response?: string; responseCode?: number | false }

const connectMs = 30_000
const longestResponse = 500
const pieceBytes = 65_536

/** @throws SmtpError when there is no way to the server, or it does not let us in */
export async function openSmtpConnection({ url, silenceMs = 600_000 }: SmtpOptions): Promise<SmtpConnection> {
  // With the first mail: most starts of the server send none.
  const [{ default: Connection }, { parseConnectionUrl }] = await Promise.all([
    import('nodemailer/lib/smtp-connection'),
    import('nodemailer/lib/shared'),
  ])
  const { auth, ...address } = parseConnectionUrl(url)
  const timeouts = { connectionTimeout: connectMs, greetingTimeout: connectMs, socketTimeout: silenceMs }
  const connection = new Connection({ ...timeouts, ...address })
  await connected(connection)
  if (auth && !connection.authenticated) await loggedIn(connection, auth)

  let carried = 0
  let open = true
  connection.on('error', () => {})
  connection.once('end', () => {
    open = false
  })
  return {
    async send(envelope) {
      carried += 1
      const outcome = await transmit(connection, envelope)
      // The envelope of a message that was not taken is still open.
      const isOver = outcome.kind === 'accepted' || outcome.ofServer || (await reset(connection))
      if (!isOver) connection.close()
      return outcome
    },
    carried: () => carried,
    isOpen: () => open && !connection.destroyed,
    close: () => connection.close(),
    quit: () => connection.quit(),
  }
}

function connected(connection: SMTPConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.once('error', reject)
    connection.once('end', () => reject(new Error('The server hung up')))
    connection.connect((error) => (error ? reject(error) : resolve()))
  })
}

function loggedIn(connection: SMTPConnection, auth: Parameters<SMTPConnection['login']>[0]): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.once('end', () => reject(new Error('The server hung up')))
    connection.login(auth, (error) => {
      if (!error) return resolve()
      connection.close()
      reject(error)
    })
  })
}

function reset(connection: SMTPConnection): Promise<boolean> {
  return new Promise((resolve) => {
    const hungUp = () => resolve(false)
    connection.once('end', hungUp)
    connection.reset((error) => {
      connection.off('end', hungUp)
      resolve(!error)
    })
  })
}

/**
 * The library reads the message only when the server has asked for it, and ends it with the final dot when it has read
 * the last byte: before that the server cannot have taken it, after that only an answer tells.
 */
function transmit(connection: SMTPConnection, { from, to, message }: Envelope): Promise<SmtpOutcome> {
  return new Promise((resolve) => {
    let dotMayBeSent = false
    const source = Readable.from(pieces(message), { objectMode: false })
    source.once('end', () => {
      dotMayBeSent = true
    })
    const settle = (error: SmtpError | null, response = '') => {
      connection.off('end', hungUp)
      resolve(error ? judge(error, dotMayBeSent) : { kind: 'accepted', response: shorten(response) })
    }
    // A connection that we close ourselves forgets whom to tell. When it breaks, the reason is told right after.
    const hungUp = () => setImmediate(() => settle(new Error('The connection broke')))
    connection.once('end', hungUp)
    connection.send({ from, to: [to], size: message.length }, source, (error, info) => settle(error, info?.response))
  })
}

/** A large message is read no further than the connection takes it, so a break on the way is known to be one. */
function* pieces(message: Buffer) {
  for (let at = 0; at < message.length; at += pieceBytes) yield message.subarray(at, at + pieceBytes)
}

function judge(error: SmtpError, dotMayBeSent: boolean): SmtpOutcome {
  const code = error.responseCode || 0
  const response = shorten(error.response || error.message)
  // What stands in the buffer of a connection that breaks is no whole answer.
  const answered = code >= 400 && error.command !== 'CONN'
  if (!answered && dotMayBeSent) return { kind: 'uncertain', response, ofServer: true }
  if (code === 421) return { kind: 'unsent', response, ofServer: true }
  if (answered) {
    const tooLarge = code === 552
    if (error.command === 'MAIL FROM' && !tooLarge) {
      return { kind: 'unsent', response, ofServer: true, lasting: code >= 500 }
    }
    return { kind: code >= 500 ? 'refused' : 'deferred', response }
  }
  // Said by the library before anything was: the message is larger than the server takes, or the address is none.
  if (error.code === 'EMESSAGE' || error.code === 'EENVELOPE') return { kind: 'refused', response }
  return { kind: 'unsent', response, ofServer: true }
}

const shorten = (text: string) => text.replace(/\s+/g, ' ').slice(0, longestResponse)
