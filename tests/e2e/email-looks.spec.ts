import { expect, type Page, test } from '@playwright/test'
import { previewFor } from '#server/features/publishing/mailings/compose/composer.ts'
import { everyEmail, everyNewsletterEmail, newsletterRecipient } from '../support/every-email.ts'
import { emailConfig, listSender, readableLinks } from '../support/newsletter-email.ts'
import { allLooks } from './support/all-looks.ts'
import { axeViolations } from './support/axe.ts'
import { unreachableScrollBoxes } from './support/layout.ts'

const main = [
  'confirmation',
  'notice-password-changed',
  'payment-failed',
  'team-invitation',
  'member-joined',
  'account-deleted',
  'welcome',
  'plan-started',
  'plan-canceled',
]
const kinds = ['issue', 'digest', 'news', 'follow-up', 'specimen'] as const

/** The spacing of WCAG 1.4.12, which is wider than any font on a user's machine. */
const widelySpaced = '* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important }'

/** Stands in for an image of our store, which no server delivers here. */
const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="600"><rect width="1200" height="600" fill="#867f76"/></svg>'

async function show(page: Page, html: string) {
  await page.route('**/media/*', (route) => route.fulfill({ contentType: 'image/svg+xml', body: picture }))
  // Email clients run no scripts and ignore our policy, so the email is shown without the server.
  await page.setContent(html, { waitUntil: 'load' })
}

/** Links that stand alone and are lower than a thumb; links in running text have its line height. */
const lowLinks = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('a')]
      .filter((link) => getComputedStyle(link).display !== 'inline' && link.getBoundingClientRect().height < 44)
      .map((link) => link.textContent),
  )

/** Nothing overflows in either theme at either width; axe runs once per width and theme. */
async function capture(page: Page, name: string, html: string) {
  await show(page, html)
  for (const width of [320, 640]) {
    await page.setViewportSize({ width, height: 800 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      expect(await unreachableScrollBoxes(page)).toEqual([])
      if ((width === 320) === (colorScheme === 'light')) expect(await axeViolations(page)).toEqual([])
      if (process.env.SCREENSHOTS === '1') {
        const path = `test-results/screenshots/emails/${name}-${width}-${colorScheme}.jpg`
        await page.screenshot({ path, type: 'jpeg', quality: 80, fullPage: true })
      }
    }
  }
  await page.setViewportSize({ width: 320, height: 800 })
  expect(await lowLinks(page)).toEqual([])
  await page.addStyleTag({ content: widelySpaced })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
}

test.describe('Emails are legible at narrow and wide widths, light and dark:', () => {
  // All transactional emails share one layout.
  for (const name of allLooks ? main : main.slice(0, 4)) {
    test(name, ({ page }) => {
      const email = everyEmail[name]
      if (!email) throw new Error(`There is no email named ${name}`)
      return capture(page, name, email.html)
    })
  }
  for (const kind of kinds) {
    test(`email ${kind}`, async ({ page }) => {
      const options = {
        content: everyNewsletterEmail[kind],
        from: listSender,
        config: emailConfig,
        links: readableLinks,
      }
      const { html } = await previewFor(options, newsletterRecipient)
      await capture(page, `newsletter-${kind}`, html)
    })
  }
})
