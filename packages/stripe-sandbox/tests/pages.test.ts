import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from '@playwright/test'
import axe from 'axe-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bench, clockedCustomer, openBench } from './support.ts'

/** Possible locations of the browser: Playwright's or the system's. The test run passes its own, or '' for none. */
const places = [
  chromium.executablePath(),
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
]
const executable = process.env.CHROMIUM_PATH ?? places.find((path) => existsSync(path))
const withBrowser = test.skipIf(!executable)

let bench: Bench
let browser: Browser | undefined
/** Stands in for the application. */
let app: Server
let home: string
beforeAll(async () => {
  bench = await openBench()
  app = createServer((_request, response) => response.end('the application'))
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
  home = `http://localhost:${(app.address() as AddressInfo).port}`
  if (executable) browser = await chromium.launch({ args: ['--no-sandbox'], executablePath: executable })
})
afterAll(async () => {
  await browser?.close()
  app.close()
  app.closeAllConnections()
  await bench.close()
})

const shots = process.env.SANDBOX_SCREENSHOTS

async function openPage(
  options: { width?: number; dark?: boolean; javaScript?: boolean } = {},
): Promise<{ page: Page; foreign: string[] }> {
  if (!browser) throw new Error('no browser')
  const context = await browser.newContext({
    colorScheme: options.dark ? 'dark' : 'light',
    javaScriptEnabled: options.javaScript ?? true,
    viewport: { height: 900, width: options.width ?? 1280 },
  })
  const page = await context.newPage()
  const foreign: string[] = []
  page.on('request', (request) => {
    const { hostname } = new URL(request.url())
    if (hostname !== 'localhost' && !request.url().startsWith('data:')) foreign.push(request.url())
  })
  return { foreign, page }
}

async function checkoutUrl(): Promise<string> {
  const customer = await bench.stripe.customers.create({ email: 'ida@example.test' })
  const session = await bench.stripe.checkout.sessions.create({
    allow_promotion_codes: true,
    cancel_url: `${home}/#pricing`,
    customer: customer.id,
    line_items: [{ price: 'price_pro_monthly', quantity: 1 }],
    mode: 'subscription',
    success_url: `${home}/billing/return?session_id={CHECKOUT_SESSION_ID}`,
  })
  return String(session.url)
}

withBrowser('S46 a purchase works with the keyboard alone, without a request to elsewhere', async () => {
  const { page, foreign } = await openPage()
  await page.goto(await checkoutUrl())
  await page.keyboard.press('Tab')
  for (let count = 0; count < 40; count += 1) {
    const name = await page.evaluate<string | null>(`document.activeElement.getAttribute('name')`)
    if (name === 'number') break
    await page.keyboard.press('Tab')
  }
  await page.keyboard.type('4242424242424242')
  await page.keyboard.press('Tab')
  await page.keyboard.type('1244')
  await page.keyboard.press('Tab')
  await page.keyboard.type('123')
  await page.keyboard.press('Enter')
  await page.waitForURL(/session_id=cs_test_/)
  expect(foreign).toEqual([])
})

withBrowser('fields are found by their labels, and a button fills in a test card', async () => {
  const { page } = await openPage({ width: 360 })
  await page.goto(await checkoutUrl())
  await page.getByRole('button', { name: 'Succeeds …4242' }).click()
  expect(await page.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242')
  await page.getByLabel('Expiry').fill('11 / 41')
  await page.getByLabel('CVC').fill('999')
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.waitForURL(`${home}/**`)
})

withBrowser('a checkout can be paid without any script', async () => {
  const { page } = await openPage({ javaScript: false })
  await page.goto(await checkoutUrl())
  expect(await page.getByText('Fill in a test card').isVisible()).toBe(false)
  await page.getByLabel('Card number').fill('4000000000000002')
  await page.getByLabel('Expiry').fill('11/41')
  await page.getByLabel('CVC').fill('999')
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Card number').fill('4242424242424242')
  await page.getByLabel('Expiry').fill('11/41')
  await page.getByLabel('CVC').fill('999')
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.waitForURL(`${home}/**`)
})

/** One of each page, reached as a person would. */
async function everyPage(): Promise<[string, string][]> {
  const { customer } = await clockedCustomer(bench)
  const subscription = await bench.stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: 'price_pro_monthly' }],
  })
  const portal = await bench.stripe.billingPortal.sessions.create({
    customer: customer.id,
    return_url: `${home}/portal`,
  })
  const [invoice] = (await bench.stripe.invoices.list({ customer: customer.id })).data
  const [event] = (await bench.stripe.events.list({ limit: 1 })).data
  const own = `http://localhost:${bench.sandbox.port}`
  return [
    ['checkout', await checkoutUrl()],
    ['portal', portal.url],
    ['portal-switch', `${portal.url}/switch/${subscription.id}/price_pro_yearly`],
    ['portal-cancel', `${portal.url}/cancel/${subscription.id}`],
    ['portal-card', `${portal.url}/card`],
    ['invoice', String(invoice?.hosted_invoice_url)],
    ['control', `${own}/sandbox`],
    ['control-customer', `${own}/sandbox/customers/${customer.id}`],
    ['control-events', `${own}/sandbox/events`],
    ['control-event', `${own}/sandbox/events/${event?.id}`],
    ['control-settings', `${own}/sandbox/settings`],
    ['unknown', `${own}/c/pay/cs_test_unknown`],
  ]
}

async function axeViolations(page: Page, rules?: string[]) {
  const options = { resultTypes: ['violations'], preload: false, ...(rules && { runOnly: rules }) }
  await page.evaluate(axe.source)
  return page.evaluate<string[]>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ' ' + nodes[0]?.html))`,
  )
}

/** Runs in the page: finds controls lower than 44 px and choices lower than 24 px. */
const smallTargets = `[...document.querySelectorAll('button, input, .button')]
  .filter((each) => {
    const { height } = each.getBoundingClientRect()
    return height > 0 && height < (each.type === 'radio' ? 24 : 44)
  })
  .map((each) => each.outerHTML.slice(0, 80))`

withBrowser(
  'every page is accessible, fits 360 px and sends nothing elsewhere, light and dark',
  async () => {
    const problems: string[] = []
    const pages = await everyPage()
    for (const [width, dark] of [
      [360, false],
      [1280, true],
    ] as const) {
      const { page, foreign } = await openPage({ dark, width })
      for (const [name, url] of pages) {
        await page.goto(url)
        if (shots) await page.screenshot({ fullPage: true, path: `${shots}/${name}-${width}.png` })
        // The dark theme differs only in colors.
        const violations = await axeViolations(page, dark ? ['color-contrast'] : undefined)
        problems.push(...violations.map((each) => `${name}: ${each}`))
        const overflow = await page.evaluate<number>(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        )
        if (overflow > 0) problems.push(`${name}: ${overflow} px too wide at ${width}`)
        const small = await page.evaluate<string[]>(smallTargets)
        problems.push(...small.map((each) => `${name}: small target ${each}`))
        if (!(await page.title()).startsWith('SANDBOX · ')) problems.push(`${name}: title`)
        if (!(await page.getByRole('banner').innerText()).includes('no real payments')) problems.push(`${name}: banner`)
      }
      problems.push(...foreign)
    }
    expect(problems).toEqual([])
  },
  120_000,
)
