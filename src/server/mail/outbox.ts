import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Email, Mailer } from './mailer.ts'

export type OutboxEmail = Required<Email> & { createdAt: string }

export type Outbox = Mailer & {
  /** Newest first; addresses compare without case. */
  list(to?: string): OutboxEmail[]
}

/** Enough for any rehearsal; older mail falls off the list and stays in the file. */
const kept = 5_000

/**
 * The sandbox's mail: kept in a file of JSON lines, for its owner's eyes, and shown under /sandbox/mail. Without a
 * file, in memory alone.
 */
export function createOutbox(options: { from: string; file?: string; clock: () => Date }): Outbox {
  const { file } = options
  if (file) mkdirSync(dirname(file), { recursive: true })
  const mails: OutboxEmail[] = file ? readMails(file) : []
  return {
    async send(mail) {
      const entry = {
        to: mail.to,
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        headers: { From: options.from, ...mail.headers },
        createdAt: options.clock().toISOString(),
      }
      mails.push(entry)
      if (mails.length > kept) mails.shift()
      if (file) appendFileSync(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
    },
    list(to) {
      const address = to?.trim().toLowerCase()
      return mails.filter((mail) => !address || mail.to.toLowerCase() === address).reverse()
    },
    async close() {},
  }
}

/** A line cut short by a crash is left out. */
function readMails(file: string): OutboxEmail[] {
  let text = ''
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return []
  }
  return text
    .split('\n')
    .flatMap((line) => {
      try {
        return line ? [JSON.parse(line) as OutboxEmail] : []
      } catch {
        return []
      }
    })
    .slice(-kept)
}
