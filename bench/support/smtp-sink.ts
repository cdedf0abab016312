/** A mail server that takes everything and keeps nothing, in a process of its own. `ANSWER_MS` waits before each answer. */
import { setTimeout as delay } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'

const answerMs = Number(process.env.ANSWER_MS ?? 0)
const slowly = (done: () => void) => (answerMs > 0 ? void delay(answerMs).then(done) : done())

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
