import { test as base, expect, type Page } from '@playwright/test'
import type { PlanKey } from '#tests/support/default-plans.ts'
import { type Account, type DemoKey, demoEmail, demoPassword, sessionKey, signIn, signUp } from './accounts.ts'
import { confirmEmail } from './emails.ts'
import { buy } from './stripe-sandbox.ts'

type Fixtures = {
  /** Creates an account over HTTP. */
  signUp: () => Promise<Account>
  /** The same with a confirmed email, which second factors and passkeys require. */
  signUpConfirmed: () => Promise<Account>
  /** Creates an account with a plan over HTTP. */
  signUpSubscriber: (plan?: PlanKey) => Promise<Account>
  /** Stores the session in the browser, so that the next page opens signed in. */
  login: (account: Account) => Promise<void>
  /** Signs in as a demo account. Tests share its session: don't sign out or change the account. */
  loginAs: (key: DemoKey) => Promise<Account>
  noShortDeadlines: undefined
  noScriptErrors: undefined
  noLateRoutes: undefined
}

type WorkerFixtures = { demoSession: (key: DemoKey) => Promise<Account> }

type Stored = { origin: string; key: string; session: string; mark: string }

/** Stores the session once for all tabs, so that signing out lasts. */
function storeSession({ origin, key, session, mark }: Stored) {
  if (window.location.origin !== origin || document.cookie.includes(mark)) return
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store answers later, and the app reads its session at once
  document.cookie = `${mark}; path=/`
  localStorage.setItem(key, session)
}

/** Sensitive changes ask for the password 15 minutes after a sign-in; the longest test takes less than the rest. */
const recentMs = 8 * 60_000

export const test = base.extend<Fixtures, WorkerFixtures>({
  // Few sign-ins per account and worker, since password hashing is slow.
  demoSession: [
    async ({ browserName: _ }, use, worker) => {
      const sessions = new Map<DemoKey, { account: Promise<Account>; at: number }>()
      await use((key) => {
        const known = sessions.get(key)
        if (known && performance.now() - known.at < recentMs) return known.account
        const account = signIn(worker.project.use.baseURL ?? '', demoEmail(key), demoPassword)
        sessions.set(key, { account, at: performance.now() })
        return account
      })
    },
    { scope: 'worker' },
  ],
  signUp: async ({ baseURL }, use) => {
    await use(() => signUp(baseURL ?? ''))
  },
  signUpConfirmed: async ({ baseURL, request }, use) => {
    await use(async () => {
      const account = await signUp(baseURL ?? '')
      const { user } = await confirmEmail(request, account.email)
      return { ...account, session: { ...account.session, user } }
    })
  },
  signUpSubscriber: async ({ baseURL, request }, use) => {
    await use(async (plan = 'pro_monthly') => {
      const account = await signUp(baseURL ?? '')
      await buy(request, account, plan)
      return account
    })
  },
  // By script in the first document: storing it through the browser opens a page for it.
  login: async ({ context, baseURL }, use) => {
    let logins = 0
    await use(async (account) => {
      await context.addInitScript(storeSession, {
        origin: new URL(baseURL ?? '').origin,
        key: sessionKey,
        session: JSON.stringify(account.session),
        mark: `login-${++logins}=stored`,
      })
    })
  },
  loginAs: async ({ demoSession, login }, use) => {
    await use(async (key) => {
      const account = await demoSession(key)
      await login(account)
      return account
    })
  },
  // After four seconds pages go on without the reader's order. That is right, but isn't what these tests are about.
  noShortDeadlines: [
    async ({ context }, use) => {
      await context.addInitScript(() => {
        const timeout = AbortSignal.timeout.bind(AbortSignal)
        AbortSignal.timeout = (ms) => timeout(5 * ms)
      })
      await use(undefined)
    },
    { auto: true },
  ],
  // In all tests, no page may throw or violate the content security policy.
  noScriptErrors: [
    async ({ context }, use) => {
      const problems: string[] = []
      context.on('weberror', (error) => problems.push(String(error.error().stack ?? error.error())))
      context.on('console', (message) => {
        if (/content security policy/i.test(message.text())) problems.push(message.text())
      })
      await use(undefined)
      expect(problems, 'script errors and policy violations').toEqual([])
    },
    { auto: true },
  ],
  // A request that a test intercepts may still be on its way when the test ends. Its handler would fail the test.
  noLateRoutes: [
    async ({ context, browser }, use) => {
      await use(undefined)
      const routed = new Set([context, ...browser.contexts()].flatMap((each) => [each, ...each.pages()]))
      await Promise.all([...routed].map((each) => each.unrouteAll({ behavior: 'ignoreErrors' })))
    },
    { auto: true },
  ],
})

export { expect }

/**
 * Loads a page until it passes the checks, for what reaches us through webhooks. The checks need short timeouts of their
 * own, such as `briefly`.
 */
export async function loadUntil(page: Page, path: string, check: () => Promise<void>) {
  await expect(async () => {
    await page.goto(path)
    await check()
  }).toPass({ timeout: 60_000 })
}

export const briefly = { timeout: 5_000 }

/** The notification with this title. */
export const toast = (page: Page, title: string) =>
  page
    .getByRole('region', { name: /^Notifications/ })
    .getByRole('listitem')
    .filter({ has: page.getByText(title, { exact: true }) })

/** All notifications on the page, including those stacked behind others. */
export const toasts = (page: Page) => page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')

export const banner = (page: Page) => page.getByRole('banner')
