import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { createAllowedLookup, refuseUrl } from '#server/features/publishing/newsletter/checks/fetch-link.ts'
import { isPublicAddress } from '#server/features/publishing/newsletter/checks/public-address.ts'
import { imageLimits } from '#shared/contracts/publishing/publishing-library.ts'

/** Fetches a file from the web. @throws Error with the reason, for people */
export type FetchFile = (address: string) => Promise<Uint8Array>

type Bounds = {
  isAllowed?: (address: string) => boolean
  anyPort?: boolean
  timeoutMs?: number
  maxBytes?: number
}

const maxRedirects = 3

/**
 * Fetches files from addresses that strangers wrote, from inside our network: only public addresses and default ports,
 * each redirect is checked again, and size and time are limited.
 */
export function createFetchFile({
  isAllowed = isPublicAddress,
  anyPort = false,
  timeoutMs = 15_000,
  maxBytes = imageLimits.bytes,
}: Bounds = {}): FetchFile {
  const lookup = createAllowedLookup(isAllowed)
  const fetchOnce = (url: URL, signal: AbortSignal) =>
    new Promise<Uint8Array | URL>((resolve, reject) => {
      const refusal = refuseUrl(url, isAllowed, anyPort)
      if (refusal) return reject(new Error(`the address ${refusal}`))
      const request = url.protocol === 'https:' ? requestHttps : requestHttp
      request(url, {
        headers: { Accept: 'image/*', 'User-Agent': 'Mozilla/5.0 (compatible; import)' },
        signal,
        lookup,
        agent: false,
      })
        .on('response', (response) => {
          const { statusCode = 0, headers } = response
          if (statusCode >= 300 && statusCode < 400 && headers.location) {
            response.destroy()
            return resolve(new URL(headers.location, url))
          }
          if (statusCode !== 200) {
            response.destroy()
            return reject(new Error(`the server responded with ${statusCode}`))
          }
          const chunks: Buffer[] = []
          let bytes = 0
          response
            .on('data', (chunk: Buffer) => {
              bytes += chunk.byteLength
              chunks.push(chunk)
              if (bytes > maxBytes) {
                response.destroy()
                reject(new Error('it’s too large'))
              }
            })
            .on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))))
            .on('error', () => reject(new Error('the download broke off')))
        })
        .on('error', () =>
          reject(new Error(signal.aborted ? 'the server didn’t answer in time' : 'the server can’t be reached')),
        )
        .end()
    })
  return async (address) => {
    const signal = AbortSignal.timeout(timeoutMs)
    let url = new URL(address)
    for (let step = 0; step <= maxRedirects; step += 1) {
      const answer = await fetchOnce(url, signal)
      if (!(answer instanceof URL)) return answer
      url = answer
    }
    throw new Error('it redirects too often')
  }
}

/** For the sandbox, which needs no network. */
export const fetchNothing: FetchFile = () =>
  Promise.reject(new Error('images of other servers aren’t fetched in the sandbox'))
