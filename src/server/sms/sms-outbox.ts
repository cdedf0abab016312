import type { Sms, SmsSender } from './sms.ts'

export type SentSms = Sms & { createdAt: string }

export type SmsOutbox = SmsSender & {
  /** Newest first; blanks and a missing plus make no difference. */
  list(to?: string): SentSms[]
}

/** Codes live for minutes, so a restart may forget them. */
const kept = 500

const digits = (number: string) => number.replace(/\D/g, '')

/** The sandbox's text messages, shown under /sandbox/messages. */
export function createSmsOutbox(clock: () => Date): SmsOutbox {
  const sent: SentSms[] = []
  return {
    async send({ to, text }) {
      sent.push({ to, text, createdAt: clock().toISOString() })
      if (sent.length > kept) sent.shift()
    },
    list(to = '') {
      return sent.filter((sms) => !digits(to) || digits(sms.to) === digits(to)).reverse()
    },
  }
}
