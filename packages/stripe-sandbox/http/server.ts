import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { randomText } from '../store/ids.ts'
import { ApiError } from './errors.ts'

export type WebRequest = {
  method: string
  path: string
  query: string
  headers: { [name: string]: string | undefined }
  body: string
}

export type WebResponse = { status: number; headers: { [name: string]: string }; body: string }

export type Handler = (request: WebRequest) => WebResponse | 'drop' | Promise<WebResponse | 'drop'>

const maxBody = 256 * 1024
/** Closes the connection if a body exceeds this size. */
const maxDrained = 8 * 1024 * 1024

/** An error response from outside the operations. */
export const refusal = (error: ApiError): WebResponse => ({
  status: error.status,
  headers: { 'content-type': 'application/json', 'request-id': `req_${randomText(14)}` },
  body: JSON.stringify(error.body()),
})

/** Reads the body as text. Returns null if it is too large, and discards the rest. */
function readBody(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBody) chunks.push(chunk)
      else chunks.length = 0
      if (size > maxDrained) request.destroy()
    })
    request.on('end', () => resolve(size > maxBody ? null : Buffer.concat(chunks).toString('utf8')))
    request.on('error', reject)
    request.on('close', () => reject(new Error('connection closed')))
  })
}

function headersOf(request: IncomingMessage): WebRequest['headers'] {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
}

function write(response: ServerResponse, answer: WebResponse): void {
  response.writeHead(answer.status, { ...answer.headers, 'content-length': Buffer.byteLength(answer.body) })
  response.end(answer.body)
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  hosts: () => Set<string>,
  handler: Handler,
): Promise<void> {
  const body = await readBody(request)
  // Prevents DNS rebinding: another site's page sends that site's name as Host.
  if (!hosts().has(String(request.headers.host ?? '').toLowerCase())) {
    return write(
      response,
      refusal(new ApiError(403, 'invalid_request_error', 'The sandbox is available only at its loopback address.')),
    )
  }
  if (body === null) {
    return write(
      response,
      refusal(new ApiError(400, 'invalid_request_error', 'Invalid request: the body is too large.')),
    )
  }
  const target = request.url ?? '/'
  const mark = target.indexOf('?')
  const result = await handler({
    body,
    headers: headersOf(request),
    method: request.method ?? 'GET',
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? '' : target.slice(mark + 1),
  })
  if (result === 'drop') request.socket.destroy()
  else write(response, result)
}

const malformed = JSON.stringify(
  new ApiError(400, 'invalid_request_error', 'Invalid request: this is not well-formed HTTP.').body(),
)

/** A small HTTP server that passes each request to a handler and sends its response. */
export function openServer(hosts: () => Set<string>, handler: Handler, onError: (error: unknown) => void): Server {
  const server = createServer((request, response) => {
    answer(request, response, hosts, handler).catch((error: unknown) => {
      if (response.headersSent || request.destroyed) return response.destroy()
      onError(error)
      write(
        response,
        refusal(new ApiError(500, 'api_error', 'The sandbox failed to handle this request. See its log for details.')),
      )
    })
  })
  server.on('clientError', (_error, socket) => {
    if (!socket.writable) return socket.destroy()
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(malformed)}\r\n\r\n${malformed}`,
    )
  })
  server.requestTimeout = 30_000
  // Longer than clients keep idle connections, so that none closes while it is being reused.
  server.keepAliveTimeout = 65_000
  return server
}
