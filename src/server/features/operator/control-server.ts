import { randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'
import type { Logger } from '#server/http/logger.ts'
import { OperatorProblem } from '#server/operator-problem.ts'

/** Where a running server tells its own operator how to reach it; whoever may read the data directory may read this. */
const doorFile = (directory: string) => join(directory, 'operator.json')
const doorSchema = z.object({ port: z.number().int(), key: z.string() })
const askedSchema = z.object({ args: z.array(z.string()) })
const answerSchema = z.object({ lines: z.array(z.string()), problem: z.string().nullable() })
type Answer = z.infer<typeof answerSchema>

const maxBodyBytes = 16 * 1024

/**
 * The embedded database belongs to one process, so while the server runs its operator's commands go through it: over
 * loopback, on a port of its own, with a key that lies in the data directory and is made anew at each start.
 */
export async function startControlServer(
  directory: string,
  logger: Logger,
  run: (args: readonly string[]) => Promise<string[]>,
): Promise<{ close(): Promise<void> }> {
  const key = randomBytes(32).toString('base64url')
  const server = createServer((asked, answer) => {
    receive(asked, key, run)
      .then((given) => send(answer, given ? 200 : 403, given ?? { lines: [], problem: 'This is not for you.' }))
      .catch((error: unknown) => {
        logger.error({ err: error }, 'an operator’s command failed')
        send(answer, 500, { lines: [], problem: 'Something went wrong; the log of the server says what.' })
      })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  writePrivately(doorFile(directory), JSON.stringify({ port, key }))
  return {
    close: () =>
      new Promise((resolve) => {
        rmSync(doorFile(directory), { force: true })
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}

/** @returns null for whoever does not have the key */
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
    if (error instanceof OperatorProblem) return { lines: [], problem: error.message }
    throw error
  }
}

function readArgs(body: string): string[] {
  try {
    return askedSchema.parse(JSON.parse(body)).args
  } catch {
    throw new OperatorProblem('The door was not asked in its own words.')
  }
}

function send(answer: ServerResponse, status: number, body: Answer) {
  answer.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' })
  answer.end(JSON.stringify(body))
}

/** In place at once and never readable by others, whatever lay there before. */
function writePrivately(file: string, text: string) {
  const fresh = `${file}.new`
  rmSync(fresh, { force: true })
  writeFileSync(fresh, text, { mode: 0o600, flag: 'wx' })
  chmodSync(fresh, 0o600)
  renameSync(fresh, file)
}

/** @throws OperatorProblem, also when the server that holds the directory does not answer */
export async function sendToControlServer(directory: string, args: readonly string[]): Promise<string[]> {
  const answer = await knock(directory, args).catch(() => null)
  if (!answer) {
    throw new OperatorProblem(
      `The server on ${directory} is just starting or stopping, or another program holds the directory. Try again in a moment.`,
    )
  }
  if (answer.problem !== null) throw new OperatorProblem(answer.problem)
  return answer.lines
}

async function knock(directory: string, args: readonly string[]): Promise<Answer> {
  const { port, key } = doorSchema.parse(JSON.parse(readFileSync(doorFile(directory), 'utf8')))
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
