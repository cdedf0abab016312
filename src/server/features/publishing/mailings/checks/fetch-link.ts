import { type Dns, RequestError, type RequestFailure, sendRequest } from '#server/http/send-request.ts'

export type LinkAnswer =
  | { status: number; location: string | null }
  | { refused: string; wholeHost?: true }
  /** Unclear: no answer in time, or the lookup failed on our side. */
  | { unsure: string; wholeHost?: true }
/**
 * Requests one URL without following redirects. `wholeHost` means that other URLs of the host would fail the same way.
 * Never rejects.
 */
export type FetchLink = (url: URL, method: 'HEAD' | 'GET', deadline?: AbortSignal) => Promise<LinkAnswer>

const noWayThere = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'])

type Bounds = { isAllowed?: (address: string) => boolean; anyPort?: boolean; timeoutMs?: number; dns?: Dns }

/** Requests URLs entered by editors. The body isn't needed. */
export function createFetchLink({ timeoutMs = 8000, ...bounds }: Bounds = {}): FetchLink {
  const headers = { 'User-Agent': 'Mozilla/5.0 (compatible; link check)', Accept: '*/*' }
  return async (url, method, signal) => {
    try {
      const answer = await sendRequest(url, { ...bounds, method, headers, timeoutMs, signal, maxBytes: 0 })
      return { status: answer.status, location: answer.headers.location ?? null }
    } catch (error) {
      return error instanceof RequestError ? answerOf(error) : unreachable
    }
  }
}

const unreachable = { refused: 'can’t be reached' }

const answers: Partial<Record<RequestFailure, LinkAnswer>> = {
  not_a_web_address: { refused: 'isn’t a web address' },
  port: { refused: 'uses a port that many networks block' },
  password: { refused: 'contains a password' },
  private_network: { refused: 'points to a private network', wholeHost: true },
  unknown_host: { refused: 'uses a domain that doesn’t exist', wholeHost: true },
  lookup_failed: { unsure: 'couldn’t be looked up', wholeHost: true },
  certificate: { refused: 'has no valid certificate', wholeHost: true },
  timeout: { unsure: 'did not answer in time' },
}

/** Errors that don't concern the whole host may mean that the server doesn't support HEAD. */
const answerOf = ({ failure, code = '' }: RequestError): LinkAnswer =>
  answers[failure] ?? (noWayThere.has(code) ? { ...unreachable, wholeHost: true } : unreachable)
