import type { FetchText } from './sns-message.ts'

const answerWithinMs = 5_000
/** A certificate has two thousand characters. */
const mostBytes = 64 * 1024

/** Without following redirects: the address was checked, where it would lead to was not. */
export const fetchText: FetchText = async (url) => {
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(answerWithinMs) })
  if (!answer.ok) throw new Error(`${new URL(url).host} answered ${answer.status}`)
  const text = await answer.text()
  if (text.length > mostBytes) throw new Error(`${new URL(url).host} answered too much`)
  return text
}
