import { sendRequest } from '#server/http/send-request.ts'
import { FetchRejected, type FetchText } from './sns-message.ts'

const timeoutMs = 5_000
/** A certificate has about 2,000 characters. */
const maxBytes = 64 * 1024

/** Doesn’t follow redirects, because only the given URL was validated. */
export const fetchText: FetchText = async (url) => {
  const { status, body } = await sendRequest(url, { timeoutMs, maxBytes })
  if (status >= 200 && status < 300) return body.toString('utf8')
  const message = `${new URL(url).host} responded with ${status}`
  throw status >= 400 && status < 500 ? new FetchRejected(message) : new Error(message)
}
