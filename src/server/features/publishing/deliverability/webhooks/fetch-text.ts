import { FetchRejected, type FetchText } from './sns-message.ts'

const timeoutMs = 5_000
/** A certificate has about 2,000 characters. */
const maxBytes = 64 * 1024

/** Doesn’t follow redirects, because only the given URL was validated. */
export const fetchText: FetchText = async (url) => {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok) {
    const message = `${new URL(url).host} responded with ${response.status}`
    throw response.status < 500 ? new FetchRejected(message) : new Error(message)
  }
  const text = await response.text()
  if (text.length > maxBytes) throw new Error(`${new URL(url).host} sent too large a response`)
  return text
}
