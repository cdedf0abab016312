import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The part of S3 that backups use, in memory. `fail` makes requests fail. */
export async function startS3StandIn() {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Map<number, Buffer>>()
  const control = { fail: (_method: string, _query: URLSearchParams): number | null => null, requests: 0 }
  const server = createServer(async (request, response) => {
    control.requests += 1
    const url = new URL(request.url ?? '', 'http://localhost')
    const [, bucket = '', ...rest] = url.pathname.split('/').map(decodeURIComponent)
    const key = rest.join('/')
    const query = url.searchParams
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const send = (status: number, text: string | Buffer = '', headers: Record<string, string> = {}) =>
      response.writeHead(status, headers).end(text)
    const failure = control.fail(request.method ?? '', query)
    if (failure) return send(failure)
    if (bucket !== 'backups' || !request.headers.authorization?.startsWith('AWS4-HMAC-SHA256')) return send(403)
    const uploadId = query.get('uploadId')
    if (request.method === 'POST' && query.has('uploads')) {
      const id = `upload-${uploads.size + 1}&`
      uploads.set(id, new Map())
      return send(
        200,
        `<InitiateMultipartUploadResult><UploadId>${id.replace('&', '&amp;')}</UploadId></InitiateMultipartUploadResult>`,
      )
    }
    const parts = uploadId ? uploads.get(uploadId) : undefined
    if (uploadId && !parts) return send(404)
    if (request.method === 'PUT' && parts) {
      parts.set(Number(query.get('partNumber')), body)
      return send(200, '', { ETag: `"${createHash('md5').update(body).digest('hex')}"` })
    }
    if (request.method === 'POST' && parts && uploadId) {
      const numbers = [...body.toString().matchAll(/<PartNumber>(\d+)</g)].map(([, number]) => Number(number))
      objects.set(key, Buffer.concat(numbers.map((number) => parts.get(number) ?? Buffer.alloc(0))))
      uploads.delete(uploadId)
      return send(200, '<CompleteMultipartUploadResult/>')
    }
    if (request.method === 'DELETE') {
      if (uploadId) uploads.delete(uploadId)
      else objects.delete(key)
      return send(204)
    }
    if (key === '') return send(200, listing(objects, query))
    const object = objects.get(key)
    if (!object) return send(404)
    const [, from = '0', to = ''] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? []
    const range = object.subarray(Number(from), Number(to) + 1)
    return send(206, range, { 'Content-Range': `bytes ${from}-${Number(from) + range.length - 1}/${object.length}` })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    uploads,
    control,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** Two objects per page. */
function listing(objects: ReadonlyMap<string, Buffer>, query: URLSearchParams): string {
  const after = query.get('continuation-token') ?? ''
  const found = [...objects].filter(([key]) => key.startsWith(query.get('prefix') ?? '') && key > after).sort()
  const page = found.slice(0, 2)
  const next = found.length > 2 ? `<NextContinuationToken>${page.at(-1)?.[0]}</NextContinuationToken>` : ''
  const contents = page.map(([key, { length }]) => `<Contents><Key>${key}</Key><Size>${length}</Size></Contents>`)
  return `<ListBucketResult>${contents.join('')}${next}</ListBucketResult>`
}
