import type { Page } from '@playwright/test'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { callAs, demoEmail, demoPassword, signIn } from './support/accounts.ts'
import { inspectState } from './support/inspect.ts'
import { test as onOwnServer } from './support/own-server.ts'
import { expect } from './support/test.ts'

/** A drop of its own, whose opening is `intro`, with the editor open. */
const test = onOwnServer.extend<{ openDrop: (intro: string) => Promise<() => Promise<string>> }>({
  openDrop: async ({ page, baseURL, request, login }, use) => {
    await use(async (intro) => {
      const admin = await signIn(baseURL ?? '', demoEmail('admin'), demoPassword)
      await login(admin)
      const title = `Rich text ${process.pid}${Date.now().toString(36).slice(-5)}`
      const { id, version, document } = await callAs<StoredDocument>(request, admin, 'admin-create-document', {
        kind: 'issue',
        title,
      })
      const changed = { ...document, intro }
      await callAs(request, admin, 'admin-save-document', { kind: 'issue', id, version, document: changed })
      await page.goto(`/admin/content/drops/${id}`)
      await expect(opening(page)).toBeVisible()
      return async () => {
        const stored = await callAs<StoredDocument>(request, admin, 'admin-read-document', { kind: 'issue', id })
        return (stored.document as { intro: string }).intro
      }
    })
  },
})

const opening = (page: Page) => page.getByRole('textbox', { name: 'Opening', exact: true })
const mode = (page: Page, name: 'Text' | 'Source') =>
  page.getByRole('group', { name: 'Show: Opening' }).getByRole('button', { name })
const source = async (page: Page) => (await opening(page).locator('.cm-line').allTextContents()).join('\n')

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

test('A text is written as readers see it, with headings, lists, an image, a callout and a prompt', async ({
  page,
  openDrop,
}) => {
  const stored = await openDrop('')
  await opening(page).click()
  await page.keyboard.type('/head')
  await expect(page.getByRole('option', { name: 'Heading', exact: true })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Count it twice')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Once is **never** enough, says {{first_name|there}}. See [sic] 5 * 3.')
  await page.keyboard.press('Enter')
  await page.keyboard.type('- Cash')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Coins')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.type('Cards')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.type('/image')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Upload an image').setInputFiles({ name: 'till.png', mimeType: 'image/png', buffer: pixel })
  await expect(dialog.getByRole('radio', { name: /1 by 1/ }).first()).toBeChecked()
  await dialog.getByLabel('Alt text').fill('A till')
  await dialog.getByRole('button', { name: 'Insert image' }).click()
  await expect(opening(page).getByRole('img', { name: 'A till' })).toBeVisible()
  await page.keyboard.type('/tip')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Never on a Friday')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.type('/prompt')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Write to [customer_type].')
  const expected = new RegExp(
    [
      '^### Count it twice\n\nOnce is \\*\\*never\\*\\* enough, says \\{\\{first_name\\|there\\}\\}\\. See \\[sic\\] 5 \\* 3\\.\n',
      '\n- Cash\n  - Coins\n- Cards\n\n!\\[A till\\]\\(/media/[0-9a-f]{64}\\.png#1x1\\)\n',
      '\n> \\[!TIP\\]\n> Never on a Friday\n\n> \\[!PROMPT\\]\n> Write to \\[customer_type\\]\\.$',
    ].join(''),
  )
  await expect.poll(stored).toMatch(expected)
  await inspectState(page, 'publishing-rich-text')

  await mode(page, 'Source').click()
  await expect.poll(() => source(page)).toMatch(expected)
  await page.reload()
  await expect.poll(() => source(page)).toMatch(expected)
  await mode(page, 'Text').click()
  await expect(opening(page).getByRole('heading', { name: 'Count it twice' })).toBeVisible()
})
