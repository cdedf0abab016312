import { randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'
import { OperatorError } from '#server/explain-start-error.ts'
import type { Logger } from '#server/http/logger.ts'

/** Port and key of the running control server, readable by the owner of the data directory only. */
const addressFile = (directory: string) => join(directory, 'operator.json')
const addressSchema = z.object({ port: z.number().int(), key: z.string() })
const requestSchema = z.object({ args: z.array(z.string()) })
const answerSchema = z.object({ lines: z.array(z.string()), problem: z.string().nullable() })
type Answer = z.infer<typeof answerSchema>

const maxBodyBytes = 16 * 1024
/** While a long command runs, such as an export, spaces before the JSON tell the caller that the server is alive. */
const keepAliveMs = 10_000

/**
 * Lets admin commands reach the process that holds the embedded database. Listens on a random loopback port and requires
 * a key that is generated at each start and stored in the data directory.
 */
export async function startControlServer(
  directory: string,
  logger: Logger,
  run: (args: readonly string[]) => Promise<string[]>,
): Promise<{ close(): Promise<void> }> {
  const key = randomBytes(32).toString('base64url')
  const server = createServer((asked, answer) => {
    const keepAlive = setInterval(() => answer.write(' '), keepAliveMs)
    receive(asked, key, run)
      .then((given) => send(answer, given ? 200 : 403, given ?? { lines: [], problem: 'Not authorized.' }))
      .catch((error: unknown) => {
        logger.error({ err: error }, 'admin command failed')
        send(answer, 500, { lines: [], problem: 'Something went wrong. See the server log for details.' })
      })
      .finally(() => clearInterval(keepAlive))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  writePrivately(addressFile(directory), JSON.stringify({ port, key }))
  return {
    close: () =>
      new Promise((resolve) => {
        rmSync(addressFile(directory), { force: true })
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}

/** @returns null if the key is missing or wrong, or the body is too large */
async function receive(
  asked: IncomingMessage,
  key: string,
  run: (args: readonly string[]) => Promise<string[]>,
): Promise<Answer | null> {
  const given = Buffer.from(asked.headers.authorization ?? '')
  const expected = Buffer.from(`Bearer ${key}`)
  if (asked.method !== 'POST' || given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  let body = ''
  for await (const chunk of asked) {
    body += String(chunk)
    if (body.length > maxBodyBytes) return null
  }
  try {
    return { lines: await run(readArgs(body)), problem: null }
  } catch (error) {
    if (error instanceof OperatorError) return { lines: [], problem: error.message }
    throw error
  }
}

function readArgs(body: string): string[] {
  try {
    return requestSchema.parse(JSON.parse(body)).args
  } catch {
    throw new OperatorError('We couldn’t read the command. Check that it comes from the same version as the server.')
  }
}

function send(answer: ServerResponse, status: number, body: Answer) {
  if (!answer.headersSent) answer.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' })
  answer.end(JSON.stringify(body))
}

/** Replaces the file atomically with mode 0600. */
function writePrivately(file: string, text: string) {
  const fresh = `${file}.new`
  rmSync(fresh, { force: true })
  writeFileSync(fresh, text, { mode: 0o600, flag: 'wx' })
  chmodSync(fresh, 0o600)
  renameSync(fresh, file)
}

/** @throws OperatorError, also if the server that holds the directory doesn't respond */
export async function sendToControlServer(directory: string, args: readonly string[]): Promise<string[]> {
  const answer = await post(directory, args).catch(() => null)
  if (!answer) {
    throw new OperatorError(
      `The server using ${directory} is starting or stopping, or another program is using the directory. Try again in a moment.`,
    )
  }
  if (answer.problem !== null) throw new OperatorError(answer.problem)
  return answer.lines
}

async function post(directory: string, args: readonly string[]): Promise<Answer> {
  const { port, key } = addressSchema.parse(JSON.parse(readFileSync(addressFile(directory), 'utf8')))
  const text = await new Promise<string>((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port, method: 'POST', headers: { Authorization: `Bearer ${key}` } },
      async (answer) => {
        let body = ''
        for await (const chunk of answer) body += String(chunk)
        resolve(body)
      },
    )
    asked.setTimeout(30_000, () => asked.destroy(new Error('no answer')))
    asked.on('error', reject)
    asked.end(JSON.stringify({ args }))
  })
  return answerSchema.parse(JSON.parse(text))
}
