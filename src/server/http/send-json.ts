import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'hono'
import type { Audience } from '#shared/contracts/define-call.ts'
import type { AppEnv } from './app-env.ts'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Compressing smaller outputs costs more time than it saves. */
const minBytes = 2_000

/** Brotli at level 4 is fast enough to compress each response. */
const brotliQuality = 4

/**
 * Sends the output of a call. Compresses large ones of subscribers' calls, which carry content and the reader's own state,
 * but no others: a compressed length can reveal secrets. Without the access token, other sites can't make these requests.
 */
export async function sendJson(c: Context<AppEnv>, output: object, audience: Audience): Promise<Response> {
  const text = JSON.stringify(output)
  const accepted = c.req.header('accept-encoding') ?? ''
  const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : null
  const headers = { 'Content-Type': 'application/json' }
  if (audience !== 'subscriber' || text.length < minBytes || !encoding) return c.body(text, 200, headers)
  const body =
    encoding === 'br'
      ? await toBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } })
      : await toGzip(text)
  return c.body(new Uint8Array(body), 200, { ...headers, 'Content-Encoding': encoding, Vary: 'Accept-Encoding' })
}
