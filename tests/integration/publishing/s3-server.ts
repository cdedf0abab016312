import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

type Keys = { accessKeyId: string; secretAccessKey: string; region: string }

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()

/** Why a request's signature (version 4) is invalid, or null. Written from the specification, without the client. */
function problemOf(request: IncomingMessage, body: Buffer, keys: Keys): string | null {
  const parts = /^AWS4-HMAC-SHA256 Credential=([^,]+), *SignedHeaders=([^,]+), *Signature=([0-9a-f]{64})$/.exec(
    request.headers.authorization ?? '',
  )
  if (!parts) return 'no signature'
  const [, credential = '', names = '', signature] = parts
  const [id, day = '', region = '', service = '', end] = credential.split('/')
  const stamp = String(request.headers['x-amz-date'] ?? '')
  if (id !== keys.accessKeyId || region !== keys.region || service !== 's3' || end !== 'aws4_request') return 'scope'
  if (!stamp.startsWith(day)) return 'day'
  const claimed = String(request.headers['x-amz-content-sha256'] ?? '')
  if (claimed !== 'UNSIGNED-PAYLOAD' && claimed !== sha256(body)) return 'payload'
  const url = new URL(request.url ?? '/', 'http://s3')
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`)
  const canonical = [request.method, url.pathname, url.search.slice(1), headers.join(''), names, claimed].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', stamp, `${day}/${region}/${service}/aws4_request`, sha256(canonical)].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${keys.secretAccessKey}`)
  return hmac(key, toSign).toString('hex') === signature ? null : 'signature'
}

/** The parts of S3 that we use: signed PUT, GET and DELETE of objects by path. */
export async function startS3Server(keys: Keys) {
  const objects = new Map<string, { bytes: Buffer; contentType: string }>()
  const refusals: string[] = []
  let outage = false
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const problem = problemOf(request, body, keys)
    const path = request.url ?? ''
    if (outage) return response.writeHead(503).end()
    if (problem) {
      refusals.push(problem)
      return response.writeHead(403).end(`<Error><Code>${problem}</Code></Error>`)
    }
    if (request.method === 'PUT') {
      objects.set(path, { bytes: body, contentType: request.headers['content-type'] ?? '' })
      return response.writeHead(200).end()
    }
    if (request.method === 'DELETE') {
      objects.delete(path)
      return response.writeHead(204).end()
    }
    const object = objects.get(path)
    if (!object) return response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
    response.writeHead(200, { 'Content-Type': object.contentType }).end(object.bytes)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    refusals,
    setOutage(on: boolean) {
      outage = on
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
