import type { Context } from 'hono'
import type { ClientFile } from './client-files.ts'
import type { AppEnv } from './principal.ts'
import { allowScripts, dropDocumentHeaders } from './security-headers.ts'

/** Sends the smallest encoding that the client accepts, or 304 if it has the file already. */
export function sendFile(c: Context<AppEnv>, file: ClientFile, status: 200 | 404) {
  if (file.isSubresource) dropDocumentHeaders(c)
  if (file.scriptHashes?.length) allowScripts(c, file.scriptHashes)
  const { body, encoding } = chooseEncoding(file, c.req.header('accept-encoding') ?? '')
  const headers: Record<string, string> = {
    'Cache-Control': file.cacheControl,
    ...file.headers,
    // One tag per encoding, so that caches don't mix them up.
    // A file that never changes is never asked for again.
    ...(!file.cacheControl.includes('immutable') && {
      ETag: encoding ? file.etag.replace(/"$/, `-${encoding}"`) : file.etag,
    }),
    Vary: 'Accept-Encoding',
  }
  if (status === 200 && matchesEtag(c.req.header('if-none-match'), file.etag)) return c.body(null, 304, headers)
  return c.body(body, status, {
    ...headers,
    ...(encoding && { 'Content-Encoding': encoding }),
    'Content-Type': file.contentType,
    'Content-Length': String(body.byteLength),
  })
}

function chooseEncoding(file: ClientFile, acceptEncoding: string) {
  const accepts = (name: string) =>
    acceptEncoding.split(',').some((part) => {
      const [encoding = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
      return encoding === name && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    })
  if (file.brotli && accepts('br')) return { body: file.brotli, encoding: 'br' }
  if (file.gzip && accepts('gzip')) return { body: file.gzip, encoding: 'gzip' }
  return { body: file.body, encoding: undefined }
}

/** Weak comparison, ignoring the encoding. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false
  const bare = etag.slice(1, -1)
  return ifNoneMatch.split(',').some((entry) => {
    const tag = entry.trim().replace(/^W\//, '').replace(/^"|"$/g, '')
    return tag === '*' || tag === bare || tag === `${bare}-br` || tag === `${bare}-gzip`
  })
}
