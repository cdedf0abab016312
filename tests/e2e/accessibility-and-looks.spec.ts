import type { Page } from '@playwright/test'
import { callAs, newEmail, newPassword } from './support/accounts.ts'
import { startCheckout } from './support/checkout.ts'
import { waitForEmail } from './support/emails.ts'
import { checkOverflow, inspect, inspectState } from './support/inspect.ts'
import { failCall } from './support/refuse.ts'
import { banner, expect, test, toasts } from './support/test.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

/** Waits until the page is complete and no notification covers it. */
const whenQuiet = async (page: Page) => {
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await expect(toasts(page)).toHaveCount(0)
}

test.describe('Accessible and without overflow at every width:', () => {
  test('landing page of a visitor', async ({ page }) => {
    // With reduced motion, nothing moves to its new size.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/')
    await expect(page.getByRole('link', { name: 'Get Access' })).toBeVisible()
    const transitions = await page.evaluate(() => {
      const root = document.documentElement
      root.style.fontSize = '200%'
      root.getBoundingClientRect()
      const started = document.getAnimations().filter((one) => one instanceof CSSTransition).length
      root.style.fontSize = ''
      return started
    })
    expect(transitions).toBe(0)
    await page.getByRole('button', { name: 'Finance' }).click()
    await page.getByText('Can I cancel?').click()
    await inspect(page, 'landing')
  })

  test('landing page of a subscriber', { tag: '@all' }, async ({ page, loginAs }) => {
    await loginAs('pro')
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'Current Plan' })).toBeVisible()
    await inspect(page, 'landing-subscriber')
  })

  test('sign-in and sign-up', async ({ page }) => {
    await page.goto('/auth')
    await inspect(page, 'sign-in')
    await page.getByRole('button', { name: 'Need an account? Sign up' }).click()
    await inspectState(page, 'sign-up')
  })

  test('sign-in after a mistake, with its notification', { tag: '@all' }, async ({ page }) => {
    await page.goto('/auth')
    await page.getByLabel('Email').fill(newEmail())
    await page.getByLabel('Password', { exact: true }).fill(newPassword)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    // Hovering keeps it visible for the screenshots.
    await toasts(page).hover()
    await inspect(page, 'sign-in-refused')
  })

  for (const [group, pages] of [
    [
      'what a subscriber reads',
      [
        ['weekly-drops', '/portal/weekly-drops', 'Weekly Drops'],
        ['guides', '/portal/guides', 'Guides and Templates'],
        ['tools', '/portal/tools', 'Tool Picks'],
        [
          'drop',
          '/portal/weekly-drops/ten-minutes-in-your-close',
          'Find ten minutes in your close, then prove it in payroll',
        ],
      ],
    ],
    [
      'pages that texts link to, and preferences',
      [
        ['start-here', '/portal/start-here', 'Start here'],
        ['glossary', '/portal/glossary#fdd', 'Glossary'],
        ['safety', '/portal/safety', 'What never goes into an AI tool'],
        ['method', '/portal/method', 'How we choose, rate and check'],
        ['assistants', '/portal/assistants', 'Connect an assistant'],
        ['editor', '/portal/editor', 'The editor'],
        ['corrections', '/portal/corrections', 'Corrections'],
        ['account-preferences', '/account/preferences', 'Account'],
      ],
    ],
  ] as const) {
    test(group, async ({ page, loginAs }) => {
      await loginAs('team')
      for (const [name, path, title] of pages) {
        await page.goto(path)
        await expect(heading(page, title)).toBeVisible()
        await whenQuiet(page)
        await inspect(page, name)
      }
    })
  }

  test('prompt packs, collapsed and expanded', async ({ page, loginAs }) => {
    await loginAs('pro')
    await page.goto('/portal/prompt-packs')
    await inspectState(page, 'prompt-packs')
    const category = page.getByRole('region', { name: 'Sales' })
    await category.getByRole('button', { name: 'Show all 15' }).click()
    await category.getByRole('heading', { level: 3 }).last().getByRole('button').click()
    await inspect(page, 'prompt-packs-unfolded')
  })

  test('every drop', { tag: '@all' }, async ({ page, request, loginAs }) => {
    const account = await loginAs('pro')
    const { issues } = await callAs<{ issues: { slug: string; title: string }[] }>(request, account, 'weekly-drops')
    expect(issues.length).toBeGreaterThanOrEqual(12)
    for (const { slug, title } of issues) {
      await page.goto(`/portal/weekly-drops/${slug}`)
      await expect(heading(page, title)).toBeVisible()
      await checkOverflow(page, `drop-${slug}`)
    }
  })

  test('failed loads', { tag: '@all' }, async ({ page, loginAs }) => {
    await loginAs('pro')
    await failCall(page, 'tools', 403)
    await page.goto('/portal/tools')
    await expect(page.getByRole('alert')).toBeVisible()
    await inspect(page, 'load-error')
  })

  test('account of a user without a plan', { tag: '@all' }, async ({ page, loginAs }) => {
    await loginAs('new')
    await page.goto('/account/preferences')
    await expect(page.getByText('You need an active plan to open the portal.')).toBeVisible()
    await whenQuiet(page)
    await inspect(page, 'account-without-plan')
  })

  test('admin dashboard', { tag: '@all' }, async ({ page, loginAs }) => {
    await loginAs('admin')
    await page.goto('/admin')
    await expect(page.getByRole('list', { name: 'All users' }).getByRole('listitem').first()).toBeVisible()
    await whenQuiet(page)
    await inspect(page, 'admin')
    await page.goto('/admin/members')
    await page.getByRole('searchbox').fill('frontcounter.test')
    await expect(page.getByRole('list', { name: 'All users' }).getByRole('listitem')).toHaveCount(4)
    await whenQuiet(page)
    await inspect(page, 'admin-members')
  })

  test('inbox of the sandbox and the page behind an emailed link', async ({ page, signUp, request }) => {
    const { email } = await signUp()
    const { subject, text } = await waitForEmail(request, email, /./)
    await page.goto(`/sandbox/mail?to=${encodeURIComponent(email)}`)
    await inspect(page, 'sandbox-mail')
    await page.getByRole('link', { name: subject }).click()
    await inspectState(page, 'sandbox-mail-message')

    await page.goto(/https?:\/\/\S+\/auth\/v1\/verify\?\S+/.exec(text)?.[0] ?? '')
    await expect(heading(page, 'Confirm your email')).toBeVisible()
    await inspect(page, 'email-link')
    await page.goto('/auth/v1/verify?token=broken')
    await expect(heading(page, 'This link isn’t complete')).toBeVisible()
    await inspectState(page, 'email-link-broken')
  })

  test('customer portal of the payment sandbox', async ({ page, loginAs }) => {
    await loginAs('team')
    await page.goto('/portal/tools')
    const [portal] = await Promise.all([
      page.context().waitForEvent('page'),
      banner(page).getByRole('button', { name: 'Manage' }).click(),
    ])
    await expect(portal.getByRole('link', { name: 'Cancel plan' })).toBeVisible()
    await inspect(portal, 'stripe-portal')
    await portal.getByRole('link', { name: 'Cancel plan' }).click()
    await inspectState(portal, 'stripe-portal-cancel')
  })

  test('checkout and control page of the payment sandbox', async ({ page, signUp, login }) => {
    const account = await signUp()
    await login(account)
    await startCheckout(page, 'pro_monthly')
    await inspect(page, 'stripe-checkout')
    const { origin } = new URL(page.url())
    await page.goto(`${origin}/sandbox?q=${encodeURIComponent(account.email)}`)
    await inspectState(page, 'stripe-control')
    await page.getByRole('link', { name: account.email }).click()
    await expect(page.getByRole('button', { name: '+1 day' })).toBeVisible()
    await inspect(page, 'stripe-control-customer')
    await page.getByRole('link', { name: 'Events of this customer' }).click()
    await inspectState(page, 'stripe-control-events')
    await page.goto(`${origin}/sandbox/settings`)
    await inspectState(page, 'stripe-control-settings')
  })
})
