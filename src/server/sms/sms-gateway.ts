import type { SmsSender } from './sms.ts'

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
