import type { Page } from '@playwright/test'
import { axeViolations } from './support/axe.ts'
import { inspect } from './support/inspect.ts'
import { settle } from './support/layout.ts'
import { expect, test } from './support/test.ts'

const drop = '/portal/weekly-drops/a-week-of-reviews'
const sectionTitle = 'Sort by hand before you write'

test('A member shares one section with staff, who read it without an account until the link is ended', async ({
  page,
  browser,
  baseURL,
  loginAs,
}) => {
  await loginAs('pro')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(drop)
  const openDialog = () => page.getByRole('button', { name: `Share: ${sectionTitle}` }).press('Enter')
  await page.getByRole('button', { name: `More: ${sectionTitle}` }).press('Enter')
  await openDialog()
  const dialog = page.getByRole('dialog', { name: 'Share this section with your staff' })
  await expect(dialog).toContainText('for 72 hours, without an account')
  await dialog.getByRole('button', { name: 'Create link' }).press('Enter')
  const url = await dialog.getByLabel('Link', { exact: true }).inputValue()
  expect(url).toMatch(/\/shared\/[\w-]{43}$/)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await settle(page)
    expect(await axeViolations(page), `the dialog, ${colorScheme}`).toEqual([])
  }
  await page.screenshot({ path: 'test-results/share-dialog-360-dark.png' })
  await page.keyboard.press('Escape')

  const visitor = await browser.newContext({ baseURL })
  const shared = await visitor.newPage()
  for (const [width, colorScheme] of [
    [360, 'light'],
    [1440, 'dark'],
  ] as const) {
    await shared.setViewportSize({ width, height: 800 })
    await shared.emulateMedia({ colorScheme })
    expect((await shared.goto(url))?.status()).toBe(200)
    await expect(shared.getByRole('heading', { level: 1 })).toHaveText(sectionTitle)
    await expect(shared.getByRole('main').getByRole('link', { name: 'Front Counter' })).toHaveCount(0)
    expect(await axeViolations(shared), `${width} ${colorScheme}`).toEqual([])
    expect(await shared.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await shared.screenshot({ path: `test-results/shared-section-${width}-${colorScheme}.png`, fullPage: true })
  }
  await expectSheets(shared, 2)

  await openDialog()
  await dialog.getByRole('button', { name: 'End link' }).first().press('Enter')
  await expect(dialog.getByRole('button', { name: 'End link' })).toHaveCount(0)
  expect((await shared.goto(url))?.status()).toBe(404)
  await expect(shared.getByRole('heading', { level: 1 })).toHaveText('This link doesn’t work')
  await visitor.close()
})

test('Someone without an account fills in a shared prompt and copies it, and finds the free edition', async ({
  page,
  browser,
  baseURL,
  loginAs,
}) => {
  await loginAs('pro')
  await page.goto('/portal/prompt-packs#sales-catering-outreach')
  await page
    .getByRole('button', { name: /^More: / })
    .first()
    .click()
  await page.getByRole('button', { name: /^Share: / }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const url = await dialog.getByLabel('Link', { exact: true }).inputValue()

  const visitor = await browser.newContext({ baseURL, permissions: ['clipboard-read', 'clipboard-write'] })
  const shared = await visitor.newPage()
  await shared.goto(url)
  await inspect(shared, 'shared-prompt')
  const bar = shared.getByRole('status')
  const fields = shared.getByRole('main').getByRole('textbox')
  await expect(bar).toHaveText(`${await fields.count()} blanks left`)
  await fields.first().fill('Harbor <b>Street</b>')
  await expect(bar).toHaveText(`${(await fields.count()) - 1} blanks left`)
  await shared.getByRole('button', { name: 'Copy prompt' }).click()
  await expect(bar).toContainText('Copied')
  expect(await shared.evaluate(() => navigator.clipboard.readText())).toContain('Harbor <b>Street</b>')
  await fields.first().fill('')
  await expect(bar).toHaveText(`${await fields.count()} blanks left`)
  await expect(shared.getByText(/^Works until \w+day, \d{1,2}:\d{2}\s[AP]M\./)).toBeVisible()
  await shared.getByRole('link', { name: 'get the free edition' }).click()
  await expect(shared).toHaveURL('/free')
  await visitor.close()
})

/**
 * Prints the page on both paper sizes, on at most this many sheets, with no text beyond the right edge. `choose` selects what
 * is printed, which ends with each print.
 */
async function expectSheets(page: Page, most: number, choose: () => Promise<void> = async () => {}) {
  for (const format of ['Letter', 'A4'] as const) {
    await choose()
    const pdf = (
      await page.pdf({ format, margin: { top: '1.5cm', bottom: '1.5cm', left: '1.5cm', right: '1.5cm' } })
    ).toString('latin1')
    const sheets = pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0
    expect(sheets, `sheets of ${format}`).toBeGreaterThan(0)
    expect(sheets, `sheets of ${format}`).toBeLessThanOrEqual(most)
  }
  await choose()
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  // The printable width of A4 with these margins is the narrower one.
  await page.setViewportSize({ width: 680, height })
  await page.emulateMedia({ media: 'print' })
  const cut = await page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (!node.textContent?.trim() || !node.parentElement?.checkVisibility()) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      if ([...range.getClientRects()].some(({ right }) => right > innerWidth + 1)) found.push(node.textContent.trim())
    }
    return found
  })
  expect(cut, 'text beyond the edge of the sheet').toEqual([])
  await page.emulateMedia({ media: null })
  await page.setViewportSize({ width, height })
}

test('A drop, one section, a filled prompt and the start checklist each print alone and complete, on Letter and A4', async ({
  page,
  loginAs,
}) => {
  await loginAs('pro')
  await page.addInitScript(() => {
    window.print = () => {}
  })
  const afterPrint = () => page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  const visible = (text: string) => page.getByText(text, { exact: true }).filter({ visible: true })

  await page.goto(drop)
  await expect(visible(sectionTitle).first()).toBeVisible()
  await expectSheets(page, 9)
  await page.getByRole('button', { name: `More: ${sectionTitle}` }).click()
  await expectSheets(page, 2, () => page.getByRole('button', { name: `Print: ${sectionTitle}` }).click())
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 2 }).filter({ visible: true })).toHaveCount(1)
  await page.emulateMedia({ media: null })
  await afterPrint()

  // The account is shared, so what is filled in isn't kept.
  await page.route('**/functions/v1/remember-answers', (route) => route.fulfill({ json: { remembered: true } }))
  const loaded = page.waitForResponse('**/functions/v1/prompt-packs')
  await page.goto('/portal/prompt-packs#operations-closing-handover')
  const { categories } = (await (await loaded).json()) as {
    categories: { prompts: { id: string; title: string; body: string; checks: string[] }[] }[]
  }
  const handover = categories.flatMap(({ prompts }) => prompts).find(({ id }) => id === 'operations-closing-handover')
  const name = handover?.title ?? ''
  const prompt = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { level: 3, name, exact: true }) })
  await prompt.getByRole('button', { name: 'Fill in Date: day and shift' }).click()
  await prompt.getByRole('textbox', { name: 'Date: day and shift' }).fill('Friday late')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(prompt.getByRole('button', { name: /Friday late/ })).toBeVisible()
  await page.getByRole('button', { name: `More: ${name}` }).click()
  await expectSheets(page, 1, () => page.getByRole('button', { name: `Print: ${name}` }).click())
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { level: 3 }).filter({ visible: true })).toHaveCount(1)
  const printed = ((await prompt.innerText()) ?? '').replaceAll(/\s+/g, ' ')
  const texts = [...(handover?.body.split(/\[[^\]]*\]/) ?? []), ...(handover?.checks ?? []), 'Friday late']
  const missing = texts.map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter((text) => !printed.includes(text))
  expect(texts.length).toBeGreaterThan(5)
  expect(missing).toEqual([])
  await page.emulateMedia({ media: null })
  await afterPrint()

  await page.goto('/portal/start-here')
  await expect(page.getByRole('button', { name: 'Print the checklist' })).toBeVisible()
  const paragraphs = page.locator('main section').locator('h2, h3, li, p:not([aria-hidden])').filter({ visible: true })
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).not.toHaveCount(0)
  const onScreen = await paragraphs.allInnerTexts()
  await expectSheets(page, 3)
  await page.emulateMedia({ media: 'print' })
  expect(await paragraphs.allInnerTexts(), 'the whole checklist').toEqual(onScreen)
})
