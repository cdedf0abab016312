import { failureReasons, RequestError, sendRequest } from '#server/http/send-request.ts'
import { imageLimits } from '#shared/contracts/publishing/publishing-library.ts'

/** Fetches a file from the web; with `sameHost`, not from where its host redirects. @throws Error with the reason, for people */
export type FetchFile = (address: string, options?: { sameHost?: boolean }) => Promise<Uint8Array>

type Bounds = {
  isAllowed?: (address: string) => boolean
  anyPort?: boolean
  timeoutMs?: number
  maxBytes?: number
}

/** Fetches images from addresses that strangers wrote. */
export function createFetchFile({
  timeoutMs = 15_000,
  maxBytes = imageLimits.bytes,
  ...bounds
}: Bounds = {}): FetchFile {
  return async (address, { sameHost = false } = {}) => {
    const answer = await sendRequest(address, {
      ...bounds,
      headers: { Accept: 'image/*', 'User-Agent': 'Mozilla/5.0 (compatible; import)' },
      timeoutMs,
      maxBytes,
      maxRedirects: 3,
      sameHost,
    }).catch((error: unknown) => {
      throw error instanceof RequestError ? new Error(failureReasons[error.failure]) : error
    })
    if (answer.status !== 200) throw new Error(`the server responded with ${answer.status}`)
    return new Uint8Array(answer.body)
  }
}

/** For the sandbox, which needs no network. */
export const fetchNothing: FetchFile = () =>
  Promise.reject(new Error('images of other servers aren’t fetched in the sandbox'))
