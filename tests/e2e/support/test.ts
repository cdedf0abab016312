import { test as base, expect, type Page } from '@playwright/test'
import type { PlanKey } from '#shared/domain/plans.ts'
import { type Account, type DemoKey, demoEmail, demoPassword, sessionKey, signIn, signUp } from './accounts.ts'
import { confirmEmail } from './emails.ts'
import { buy } from './stripe-sandbox.ts'

type Fixtures = {
  /** A fresh account, made over HTTP. */
  signUp: () => Promise<Account>
  /** The same with its address proven, as second steps and passkeys want it. */
  signUpConfirmed: () => Promise<Account>
  /** A fresh account with a plan, bought over HTTP; how it is bought on the pages is a journey of its own. */
  signUpSubscriber: (plan?: PlanKey) => Promise<Account>
  /** Puts a session where the client keeps it, so that the next page opens as somebody. */
  login: (account: Account) => Promise<void>
  /** Signs in as one of the sandbox's people. The session is shared: do not sign out, do not change the account. */
  loginAs: (key: DemoKey) => Promise<Account>
  noScriptErrors: undefined
}

type WorkerFixtures = { demoSession: (key: DemoKey) => Promise<Account> }

export const test = base.extend<Fixtures, WorkerFixtures>({
  // One sign-in per person and worker: a password costs time on purpose.
  demoSession: [
    async ({ browserName: _ }, use, worker) => {
      const sessions = new Map<DemoKey, Promise<Account>>()
      await use((key) => {
        const known = sessions.get(key)
        if (known) return known
        const account = signIn(worker.project.use.baseURL ?? '', demoEmail(key), demoPassword)
        sessions.set(key, account)
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
  login: async ({ context, baseURL }, use) => {
    await use((account) =>
      context.setStorageState({
        cookies: [],
        origins: [
          { origin: baseURL ?? '', localStorage: [{ name: sessionKey, value: JSON.stringify(account.session) }] },
        ],
      }),
    )
  },
  loginAs: async ({ demoSession, login }, use) => {
    await use(async (key) => {
      const account = await demoSession(key)
      await login(account)
      return account
    })
  },
  // Whatever a journey is about: no page may throw, and nothing may be stopped by the content security policy.
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
})

export { expect }

/** The notification with this title. */
export const toast = (page: Page, title: string) =>
  page
    .getByRole('region', { name: /^Notifications/ })
    .getByRole('listitem')
    .filter({ has: page.getByText(title, { exact: true }) })

/** Every notification that stands on the page, seen or stacked away. */
export const toasts = (page: Page) => page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')

export const banner = (page: Page) => page.getByRole('banner')
