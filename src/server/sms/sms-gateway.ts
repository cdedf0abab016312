/** A text message. `to` is an E.164 number with the leading plus. */
type Sms = { to: string; text: string }

/** Resolves once the provider has accepted the message. */
export type SmsSender = { send(sms: Sms): Promise<void> }

const timeoutMs = 10_000

/** Sends text messages through an HTTP gateway: `POST { to, text }`. Any 2xx response means accepted. */
export function createSmsGateway({ url, token }: { url: string; token: string | null }): SmsSender {
  return {
    async send(sms) {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
        body: JSON.stringify(sms),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      await answer.body?.cancel()
      // Errors are logged and the body may repeat the message, so only the status is included.
      if (!answer.ok) throw new Error(`The SMS gateway responded with ${answer.status}`)
    },
  }
}

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
