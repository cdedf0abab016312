import { FetchRejected, type FetchText } from './sns-message.ts'

const timeoutMs = 5_000
/** A certificate has two thousand characters. */
const maxBytes = 64 * 1024

/** Without following redirects: the address was checked, where it would lead to was not. */
export const fetchText: FetchText = async (url) => {
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  if (!answer.ok) {
    const message = `${new URL(url).host} answered ${answer.status}`
    throw answer.status < 500 ? new FetchRejected(message) : new Error(message)
  }
  const text = await answer.text()
  if (text.length > maxBytes) throw new Error(`${new URL(url).host} answered too much`)
  return text
}
