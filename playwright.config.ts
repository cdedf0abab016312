import { defineConfig } from '@playwright/test'
import { quietChromium } from './scripts/chromium.ts'
import { serviceKey } from './tests/e2e/support/accounts.ts'
import { serverSecret, webhookSecret } from './tests/e2e/support/email-links.ts'

const port = Number(process.env.E2E_PORT ?? 4310)
export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results/run',
  // One server for all journeys; each makes its own accounts, so they may run side by side.
  fullyParallel: true,
  workers: 2,
  // A failure is tried again only to tell a race from a plain mistake: either way the run has failed.
  retries: 1,
  failOnFlakyTests: true,
  // Long enough for the longest journey on a busy processor. What hangs is found by the limits of the steps below.
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    baseURL: `http://localhost:${port}`,
    locale: 'en-US',
    timezoneId: 'America/New_York',
    // Each step has a limit of its own, so that a hang names the step that it waits in. The default is none at all.
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    // Recording every journey slows all of them; one that is asked once more tells what it saw.
    trace: { mode: 'on-first-retry', screenshots: false },
    launchOptions: { executablePath: process.env.CHROME_PATH, args: quietChromium },
  },
  webServer: {
    command: 'node --disable-warning=ExperimentalWarning scripts/e2e-server.ts',
    url: `http://localhost:${port}/healthz`,
    timeout: 60_000,
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
