/** An SMTP server that accepts and discards all email. `RESPONSE_MS` delays each response. */
import { setTimeout as delay } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'

const responseMs = Number(process.env.RESPONSE_MS ?? 0)
const slowly = (done: () => void) => (responseMs > 0 ? void delay(responseMs).then(done) : done())

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  logger: false,
  onMailFrom: (_address, _session, done) => slowly(done),
  onRcptTo: (_address, _session, done) => slowly(done),
  onData(stream, _session, done) {
    stream.resume()
    stream.on('end', () => slowly(done))
  },
})
server.on('error', () => {})
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'))
