import type { Sms, SmsSender } from './sms.ts'

export type SentSms = Sms & { createdAt: string }

export type SmsOutbox = SmsSender & {
  /** Newest first. Numbers match regardless of spaces and a leading plus. */
  list(to?: string): SentSms[]
}

const maxMessages = 500

const digits = (number: string) => number.replace(/\D/g, '')

/** Keeps the sandbox's text messages in memory, shown under /sandbox/messages. */
export function createSmsOutbox(clock: () => Date): SmsOutbox {
  const sent: SentSms[] = []
  return {
    async send({ to, text }) {
      sent.push({ to, text, createdAt: clock().toISOString() })
      if (sent.length > maxMessages) sent.shift()
    },
    list(to = '') {
      return sent.filter((sms) => !digits(to) || digits(sms.to) === digits(to)).reverse()
    },
  }
}
