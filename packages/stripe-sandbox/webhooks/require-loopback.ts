import { invalid } from '../http/errors.ts'

/**
 * Allows only URLs on this machine, so that the sandbox can't be used to reach other servers. Host names other than
 * localhost are rejected, since they may resolve to any address later.
 * @throws ApiError 400
 */
export function requireLoopback(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const web = url?.protocol === 'http:' || url?.protocol === 'https:'
  const here = url !== undefined && /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/.test(url.hostname)
  if (!url || !web || !here) {
    throw invalid(
      'Invalid URL: the sandbox delivers webhooks to loopback addresses only, such as http://localhost:3000/…',
      'url',
      'url_invalid',
    )
  }
  return url
}
