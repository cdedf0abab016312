import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Account, demoEmail, demoPassword, signIn } from './accounts.ts'
import { serverSecret } from './email-links.ts'
import { test as base } from './test.ts'

/** Ports per worker, not per slot: after a failure the next worker starts while the old server still stops. */
const portOf = (shared: string, worker: number) => Number(new URL(shared).port) + 20 + 2 * worker

type Fixtures = { admin: () => Promise<Account> }
type WorkerFixtures = {
  /** Answers the address of the server of a file of tests; the server of the file before stops. */
  serverOf: (file: string) => Promise<string>
  /** Length of the free trial, as a setting of the server. */
  trialDays: string
  /** `REPLIES_MAILBOX_URL` of the server; empty for none. */
  repliesMailbox: string
}

/**
 * Runs the tests of a file on a server of their own, with a trial. They may simulate a Stripe outage or rename the
 * publication: no other file meets what they left.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  trialDays: ['7', { option: true, scope: 'worker' }],
  repliesMailbox: ['', { option: true, scope: 'worker' }],
  serverOf: [
    async ({ trialDays, repliesMailbox }, use, worker) => {
      const port = portOf(worker.project.use.baseURL ?? '', worker.workerIndex)
      let running = null as { file: string; stop: () => Promise<unknown> } | null
      await use(async (file) => {
        if (running?.file !== file) {
          await running?.stop()
          running = null
          running = { file, stop: await startServer(port, { trialDays, repliesMailbox }) }
        }
        return `http://localhost:${port}`
      })
      await running?.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ serverOf }, use, info) => {
    await use(await serverOf(info.file))
  },
  admin: async ({ baseURL }, use) => {
    await use(() => signIn(baseURL ?? '', demoEmail('admin'), demoPassword))
  },
})

type Settings = Pick<WorkerFixtures, 'trialDays' | 'repliesMailbox'>

/** Resolves once the server answers, to a function that stops it. */
async function startServer(port: number, { trialDays, repliesMailbox }: Settings) {
  const server = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/e2e-server.ts'], {
    env: {
      ...process.env,
      SECRET_KEY: serverSecret,
      PORT: String(port),
      LOG_LEVEL: 'error',
      TRIAL_DAYS: trialDays,
      ...(repliesMailbox && { REPLIES_MAILBOX_URL: repliesMailbox }),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const gone = once(server, 'exit')
  const stop = () => server.kill('SIGTERM')
  // Also stops the server if the worker exits early.
  process.once('exit', stop)
  await untilReady(`http://localhost:${port}/healthz`, gone)
  return () => {
    process.off('exit', stop)
    stop()
    return gone
  }
}

async function untilReady(address: string, gone: Promise<unknown>) {
  let exited = false
  void gone.then(() => {
    exited = true
  })
  for (;;) {
    if (exited) throw new Error('The test server didn’t start')
    const answer = await fetch(address).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
