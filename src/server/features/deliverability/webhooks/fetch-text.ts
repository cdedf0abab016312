import { type FetchText, NotServed } from './sns-message.ts'

const answerWithinMs = 5_000
/** A certificate has two thousand characters. */
const mostBytes = 64 * 1024

/** Without following redirects: the address was checked, where it would lead to was not. */
export const fetchText: FetchText = async (url) => {
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(answerWithinMs) })
  if (!answer.ok) {
    const message = `${new URL(url).host} answered ${answer.status}`
    throw answer.status < 500 ? new NotServed(message) : new Error(message)
  }
  const text = await answer.text()
  if (text.length > mostBytes) throw new Error(`${new URL(url).host} answered too much`)
  return text
}
