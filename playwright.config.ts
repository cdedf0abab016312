import { defineConfig } from '@playwright/test'
import { quietChromium } from './scripts/chromium.ts'
import { mainJourneys, type Part } from './scripts/test-parts.ts'
import { serviceKey } from './tests/e2e/support/accounts.ts'
import { allLooks } from './tests/e2e/support/all-looks.ts'
import { serverSecret, webhookSecret } from './tests/e2e/support/email-links.ts'

const port = Number(process.env.E2E_PORT ?? 4310)
/** The files that use support/own-server.ts. */
const onOwnServer = ['**/billing-trial.spec.ts', '**/fields.spec.ts', '**/publishing.spec.ts']
const part = process.env.TEST_PART as Part | undefined
const mainFiles = mainJourneys.map((file) => `**/${file}`)

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results/run',
  // Looks that only `npm run test:all` inspects.
  grepInvert: allLooks ? [] : /@all\b/,
  // All other tests share one server; each creates its own accounts, so they can run in parallel.
  fullyParallel: true,
  projects: [
    // One worker, since each starts a server and a browser. First, because it takes the longest.
    ...(part === 'main' ? [] : [{ name: 'own server', testMatch: onOwnServer, workers: 1 }]),
    {
      name: 'shared server',
      testIgnore: [...onOwnServer, ...(part === 'rest' ? mainFiles : [])],
      ...(part === 'main' && { testMatch: mainFiles }),
    },
  ],
  // A test waits for pages and timers for part of its time, so four keep two cores busy.
  workers: 4,
  // A busy machine makes one of 250 journeys late now and then. The list at the end names those that passed on retry.
  retries: 1,
  // Enough for the longest test on a busy machine. The limits per action below catch hangs.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: {
    baseURL: `http://localhost:${port}`,
    locale: 'en-US',
    timezoneId: 'America/New_York',
    // A worker would answer requests that tests intercept. Tests of the worker allow it.
    serviceWorkers: 'block',
    // Playwright's default is no limit, which would hide the action that hangs.
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    // Tracing slows every test, so only retries are traced.
    trace: { mode: 'on-first-retry', screenshots: false },
    launchOptions: {
      executablePath: process.env.CHROME_PATH,
      // Test pages live for seconds, so optimizing their scripts takes longer than it saves.
      args: [...quietChromium, '--js-flags=--no-opt --no-maglev'],
    },
  },
  webServer: {
    command: 'node --disable-warning=ExperimentalWarning scripts/e2e-server.ts',
    url: `http://localhost:${port}/healthz`,
    // Building the database keeps a busy machine longer than Playwright's minute.
    timeout: 180_000,
    stdout: 'ignore',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    env: {
      PORT: String(port),
      LOG_LEVEL: 'warn',
      SERVICE_ROLE_KEY: serviceKey,
      SECRET_KEY: serverSecret,
      MAIL_WEBHOOK_SECRET: webhookSecret,
    },
  },
})
