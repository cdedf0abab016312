import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { card, press, visit } from '@front-counter/stripe-sandbox/testing'
import { afterAll, expect, test } from 'vitest'
import { caseCount } from '#tests/support/case-count.ts'
import { shortLivedFlags } from '#tests/support/short-lived-flags.ts'
import { freePort } from '../../../scripts/postgres.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'front-counter-kill-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** The last kill comes after this many acknowledged steps. Three visitors at a time take nine for their first visit. */
const lastStep = 12
/** `SERVER_KILLS=12` for one after each step. */
const kills = caseCount(2, 6, 'SERVER_KILLS')
const password = 'front-counter'

type Acknowledged = { signedUp: string[]; paid: string[] }
type Server = { child: ChildProcess; url: string }

async function start(port: number): Promise<Server> {
  const child = spawn(process.execPath, [...shortLivedFlags, 'src/server/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DATABASE_URL: '', DATA_DIR: directory, PORT: String(port), LOG_LEVEL: 'error' },
  })
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    if (child.exitCode !== null) throw new Error('the server did not start again')
    if (
      await fetch(`${url}/healthz`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return { child, url }
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

async function post(server: Server, path: string, body: object, token?: string) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

/** Signs up and subscribes users until the server dies; records only acknowledged steps. */
async function visitors(server: Server, worker: string, acknowledged: Acknowledged, onProgress: () => void) {
  for (let n = 0; ; n += 1) {
    const email = `${worker}-${n}@example.test`
    const signUp = await post(server, '/auth/v1/signup', { email, password })
    expect(signUp.status).toBe(200)
    acknowledged.signedUp.push(email)
    onProgress()
    const token = String(signUp.body.access_token)
    const checkout = await post(server, '/functions/v1/create-checkout', { priceId: 'price_pro_monthly' }, token)
    expect(checkout.status).toBe(200)
    onProgress()
    const returned = await press(await visit(String(checkout.body.url)), 'Pay', card('4242 4242 4242 4242'))
    if (!returned.location?.includes('/billing/return')) throw new Error(`not paid: ${returned.status}`)
    acknowledged.paid.push(email)
    onProgress()
  }
}

/** Sends SIGKILL after the round's share of the steps. */
async function runUntilKilled(server: Server, round: number, acknowledged: Acknowledged) {
  let left = Math.ceil((round * lastStep) / kills)
  const exited = once(server.child, 'exit')
  const onProgress = () => {
    left -= 1
    if (left === 0) server.child.kill('SIGKILL')
  }
  const workers = ['a', 'b', 'c'].map((worker) => visitors(server, `r${round}${worker}`, acknowledged, onProgress))
  const outcomes = await Promise.allSettled(workers)
  await exited
  // Cut connections are expected; errors are not.
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(String(outcome.reason)).not.toMatch(/not paid|AssertionError/)
  }
}

test(`after each of ${kills} kills nothing that was acknowledged is lost`, { timeout: 900_000 }, async () => {
  const port = await freePort()
  const acknowledged: Acknowledged = { signedUp: [], paid: [] }
  for (let round = 1; round <= kills; round += 1) {
    await runUntilKilled(await start(port), round, acknowledged)
  }
  const server = await start(port)
  const lost: string[] = []
  for (const email of acknowledged.signedUp) {
    const signIn = await post(server, '/auth/v1/token?grant_type=password', { email, password })
    if (signIn.status !== 200) lost.push(`account of ${email}`)
    if (!acknowledged.paid.includes(email)) continue
    const check = await post(
      server,
      '/functions/v1/check-subscription',
      { refresh: true },
      String(signIn.body.access_token),
    )
    if (check.body.subscribed !== true) lost.push(`subscription of ${email}`)
  }
  const stopped = once(server.child, 'exit')
  server.child.kill('SIGTERM')
  expect(await stopped).toEqual([0, null])
  expect(lost).toEqual([])
  expect(acknowledged.signedUp.length).toBeGreaterThan(kills)
  expect(acknowledged.paid.length).toBeGreaterThan(0)
})
