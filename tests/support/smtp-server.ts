import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** How the server handles a message. The `after data` variants act once it has received the complete message. */
export type Behavior =
  | 'accept'
  | 'hang up after data'
  | 'stall after data'
  | { refuse: number; saying?: string }
  | { refuseData: number }

export type ReceivedMail = { to: string; raw: Buffer }

export type TestSmtpServer = {
  url: string
  /** Accepted messages, oldest first. */
  received: ReceivedMail[]
  /** All completely received messages, accepted or not. */
  heard: ReceivedMail[]
  connections(): number
  close(): Promise<void>
}

type Options = {
  behave?: (to: string) => Behavior
  /** Response code for MAIL FROM, such as 421; null accepts. */
  onMailFrom?: () => number | null
  port?: number
  /** Delay before each response to a message. */
  answerMs?: number
  /** Clients have to sign in with these. */
  credentials?: { user: string; password: string }
  /** Offers STARTTLS with a certificate that no one trusts. */
  isSelfSigned?: boolean
}

const failure = (code: number, saying = `test response ${code}`) =>
  Object.assign(new Error(saying), { responseCode: code })

/** A real SMTP server on loopback that misbehaves as told, by recipient. */
export async function startSmtpServer(options: Options = {}): Promise<TestSmtpServer> {
  const { behave = () => 'accept', onMailFrom = () => null, answerMs = 0, credentials, isSelfSigned } = options
  const received: ReceivedMail[] = []
  const heard: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: !credentials,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      const isKnown = username === credentials?.user && password === credentials?.password
      done(isKnown ? null : new Error('wrong user name or password'), { user: username })
    },
    disabledCommands: isSelfSigned ? [] : ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onMailFrom(_address, _session, done) {
      const code = onMailFrom()
      done(code ? failure(code) : null)
    },
    onRcptTo({ address }, _session, done) {
      const behaviour = behave(address)
      done(typeof behaviour === 'object' && 'refuse' in behaviour ? failure(behaviour.refuse, behaviour.saying) : null)
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo[0]?.address ?? ''
        const email = { to, raw: Buffer.concat(chunks) }
        heard.push(email)
        const behaviour = behave(to)
        if (behaviour === 'stall after data') return
        if (behaviour === 'hang up after data') return hangUp(session.id)
        if (typeof behaviour === 'object' && 'refuseData' in behaviour) return done(failure(behaviour.refuseData))
        received.push(email)
        if (answerMs > 0) setTimeout(done, answerMs)
        else done()
      })
    },
  })
  // Tests break connections on purpose.
  server.on('error', () => {})
  const hangUp = (id: string) => {
    for (const connection of server.connections) if (connection.id === id) connection._socket.destroy()
  }
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    heard,
    connections: () => server.connections.size,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(resolve))
      for (const { _socket } of server.connections) _socket.destroy()
      await closed
    },
  }
}
