import { defineConfig } from '@playwright/test'
import { quietChromium } from './scripts/chromium.ts'
import { serviceKey } from './tests/e2e/support/accounts.ts'
import { serverSecret, webhookSecret } from './tests/e2e/support/mail-links.ts'

const port = Number(process.env.E2E_PORT ?? 4310)
export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results/run',
  // One server for all journeys; each makes its own accounts, so they may run side by side.
  fullyParallel: true,
  workers: 2,
  // A browser that was starved of its processor is asked once more; the report calls such a journey flaky, never passed.
  retries: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    baseURL: `http://localhost:${port}`,
    locale: 'en-US',
    timezoneId: 'America/New_York',
    // The film of a trace costs more than the journey; its snapshots tell the same.
    trace: { mode: 'retain-on-failure', screenshots: false },
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
