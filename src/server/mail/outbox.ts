import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Email, Mailer } from './mailer.ts'

export type OutboxEmail = Required<Email> & { createdAt: string }

export type Outbox = Mailer & {
  /** Newest first; `to` is case-insensitive. */
  list(to?: string): OutboxEmail[]
}

/** Emails to list; older ones stay in the file. */
const maxListed = 5_000

/** Sandbox mailer: stores emails in a JSON Lines file (mode 0600) and lists them under /sandbox/mail. In memory without a file. */
export function createOutbox(options: { from: string; file?: string; clock: () => Date }): Outbox {
  const { file } = options
  if (file) mkdirSync(dirname(file), { recursive: true })
  const emails: OutboxEmail[] = file ? readEmails(file) : []
  return {
    async send(email) {
      const entry = {
        to: email.to,
        subject: email.subject,
        text: email.text,
        html: email.html,
        headers: { From: options.from, ...email.headers },
        createdAt: options.clock().toISOString(),
      }
      emails.push(entry)
      if (emails.length > maxListed) emails.shift()
      if (file) appendFileSync(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
    },
    list(to) {
      const address = to?.trim().toLowerCase()
      return emails.filter((email) => !address || email.to.toLowerCase() === address).reverse()
    },
    async close() {},
  }
}

/** Skips lines that a crash cut short. */
function readEmails(file: string): OutboxEmail[] {
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
    .slice(-maxListed)
}
