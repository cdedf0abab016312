import type { SmsSender } from './sms.ts'

const timeoutMs = 10_000

/**
 * Text messages through an operator's HTTP gateway: `POST {to, text}`, and any 2xx means accepted. Providers differ in
 * all but that, so a few lines in front of one's provider are what it takes.
 */
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
      // The answer may repeat what was sent, and errors are logged: its status has to do.
      if (!answer.ok) throw new Error(`The SMS gateway answered ${answer.status}`)
    },
  }
}
