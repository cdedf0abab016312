import type { Page } from '@playwright/test'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { mp3 } from '../support/test-audio.ts'
import { callAs, demoEmail, demoPassword, signIn } from './support/accounts.ts'
import { inspectState } from './support/inspect.ts'
import { paste } from './support/markdown-field.ts'
import { test as onOwnServer } from './support/own-server.ts'
import { expect, toast } from './support/test.ts'

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
      if (intro === '') await page.getByRole('button', { name: 'Add opening for everyone' }).click()
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
const source = (page: Page) => opening(page).and(page.locator('textarea')).inputValue()

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
  await dialog.getByLabel('Caption').fill('At noon (busy)')
  await dialog.getByLabel('Size').selectOption('Wide')
  await dialog.getByRole('button', { name: 'Insert image' }).click()
  await expect(opening(page).getByRole('img', { name: 'A till' })).toBeVisible()
  await expect(opening(page).getByText('At noon (busy)')).toBeVisible()
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
      '\n- Cash\n  - Coins\n- Cards\n\n!\\[A till\\]\\(/media/[0-9a-f]{64}\\.png#1x1 "At noon \\(busy\\) \\{wide\\}"\\)\n',
      '\n> \\[!TIP\\]\n> Never on a Friday\n\n> \\[!PROMPT\\]\n> Write to \\[customer_type\\]\\.$',
    ].join(''),
  )
  await expect.poll(stored).toMatch(expected)
  const preview = page.frameLocator('iframe[title=Preview]')
  await expect(preview.getByRole('figure').getByText('At noon (busy)')).toBeVisible()
  await inspectState(page, 'publishing-rich-text')

  await mode(page, 'Source').click()
  await expect.poll(() => source(page)).toMatch(expected)
  await page.reload()
  await expect(opening(page).getByRole('img', { name: 'A till' })).toBeVisible()
  await mode(page, 'Source').click()
  await expect.poll(() => source(page)).toMatch(expected)
  await mode(page, 'Text').click()
  await expect(opening(page).getByRole('heading', { name: 'Count it twice' })).toBeVisible()
  await opening(page).getByRole('img', { name: 'A till' }).dblclick()
  await dialog.getByLabel('Caption').fill('')
  await dialog.getByLabel('Size').selectOption('Small')
  await dialog.getByRole('button', { name: 'Save image' }).click()
  await expect.poll(stored).toContain('.png#1x1 "{small}")\n')
})

test('A bookmark shows what its page says, or what the editor enters', async ({ page, openDrop }) => {
  const stored = await openDrop('')
  await opening(page).click()
  await page.keyboard.type('/bookm')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Get title and picture' }).click()
  await expect(dialog.getByText('Enter an address')).toBeVisible()
  await dialog.getByLabel('Page address').fill('https://10.0.0.1/')
  await dialog.getByRole('button', { name: 'Get title and picture' }).click()
  await expect(dialog.getByText(/This page can’t be read: .* Enter its title yourself\./)).toBeVisible()
  await dialog.getByRole('button', { name: 'Insert bookmark' }).click()
  await expect(dialog.getByText('Enter the title that readers see')).toBeVisible()
  await dialog.getByLabel('Title', { exact: true }).fill('Fees 2026 *new*')
  await dialog.getByLabel('Line below the title').fill('1. What changes')
  await inspectState(page, 'publishing-bookmark')
  await dialog.getByRole('button', { name: 'Insert bookmark' }).click()
  await expect.poll(stored).toBe('> [!BOOKMARK]\n> [Fees 2026 \\*new\\*](https://10.0.0.1/)\n>\n> 1\\. What changes')
  const preview = page.frameLocator('iframe[title=Preview]')
  await expect(preview.locator('.bookmark').getByRole('link', { name: 'Fees 2026 *new*' })).toBeVisible()
  await mode(page, 'Source').click()
  await page.getByLabel('Insert prompt, callout or file').first().selectOption('Bookmark')
  await expect(dialog.getByLabel('Page address')).toBeVisible()
})

test('A file and a sound are uploaded, with the title that readers see', async ({ page, openDrop }) => {
  const stored = await openDrop('')
  await opening(page).click()
  await page.keyboard.type('/file')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  const upload = (label: string, name: string, content: Buffer) =>
    dialog.getByLabel(label).setInputFiles({ name, mimeType: 'application/octet-stream', buffer: content })
  await dialog.getByRole('button', { name: 'Insert file' }).click()
  await expect(dialog.getByText('Choose a file')).toBeVisible()
  await upload('Upload a file', 'plan.pdf', Buffer.from('#!/bin/sh'))
  await expect(dialog.getByText(/A file can be a PDF, Word/)).toBeVisible()
  await upload('Upload a file', 'plan.pdf', Buffer.from('%PDF-1.7'))
  await expect(dialog.getByText('plan.pdf, PDF, 1 kB')).toBeVisible()
  await dialog.getByLabel('Title').fill('Plan for May')
  await inspectState(page, 'publishing-file')
  await dialog.getByRole('button', { name: 'Insert file' }).click()
  await page.keyboard.type('/audio')
  await page.keyboard.press('Enter')
  await upload('Upload audio', 'talk.mp3', mp3(65))
  await expect(dialog.getByText('talk.mp3, 1:05')).toBeVisible()
  await dialog.getByRole('button', { name: 'Insert audio' }).click()
  await expect
    .poll(stored)
    .toMatch(
      /^\[Plan for May\]\(\/files\/[0-9a-f]{64}\.pdf "file, PDF, 1 kB"\)\n\n\[talk\]\(\/files\/[0-9a-f]{64}\.mp3 "audio, 1:05"\)$/,
    )
  const preview = page.frameLocator('iframe[title=Preview]')
  await expect(preview.getByRole('link', { name: 'Plan for May' })).toBeVisible()
  await expect(preview.locator('audio')).toBeVisible()
})

test('A word that an input method composes is written once, beside a placeholder, in a list and in a heading', async ({
  page,
  openDrop,
}) => {
  const stored = await openDrop('### Plan\n\nAsk [store_name] today.\n\n- one')
  const input = await page.context().newCDPSession(page)
  const compose = async (...steps: string[]) => {
    for (const text of steps) {
      await input.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      })
    }
    await input.send('Input.insertText', { text: steps.at(-1) ?? '' })
  }
  // The editor follows the browser's selection a moment later.
  const placeCaret = async (text: string, key: 'Home' | 'End') => {
    await opening(page).getByText(text).click()
    await page.keyboard.press(key)
    await expect
      .poll(() => page.evaluate(() => [getSelection()?.anchorNode?.textContent, getSelection()?.anchorOffset]))
      .toEqual([text, key === 'Home' ? 0 : text.length])
  }
  await placeCaret('Ask [store_name] today.', 'End')
  await compose('に', 'にほ', 'にほん', '日本')
  await placeCaret('one', 'End')
  await page.keyboard.press('Enter')
  await compose('か', 'かみ', '紙')
  await placeCaret('Plan', 'Home')
  await compose('へ', '変')
  await expect.poll(stored).toBe('### 変Plan\n\nAsk [store_name] today.日本\n\n- one\n- 紙')
  // A word that is given up leaves nothing.
  await input.send('Input.imeSetComposition', { text: 'あ', selectionStart: 1, selectionEnd: 1 })
  await input.send('Input.imeSetComposition', { text: '', selectionStart: 0, selectionEnd: 0 })
  await page.keyboard.type('!')
  await expect.poll(stored).toBe('### 変!Plan\n\nAsk [store_name] today.日本\n\n- one\n- 紙')
  await page.keyboard.press('ControlOrMeta+z')
  await page.keyboard.press('ControlOrMeta+z')
  await page.keyboard.press('ControlOrMeta+z')
  await page.keyboard.press('ControlOrMeta+z')
  await page.keyboard.press('ControlOrMeta+z')
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(stored).toBe('### Plan\n\nAsk [store_name] today.\n\n- one')
})

test('Opening, switching and reading a text saves nothing, and an edit changes only its block', async ({
  page,
  openDrop,
}) => {
  const written = [
    'Setext\n===',
    '* one\n*  two\n    1) deep',
    '| a | b |\n|---|:-:|\n| 1 | x |',
    'Two  \nlines with \\*escapes\\* &amp; _marks_ here',
    '<div>\n  HTML\n</div>',
    'A claim[^1], [a link][1]\n\n[1]: https://example.com',
    'שלום עולם 👩‍🍳',
  ].join('\n\n\n')
  const stored = await openDrop(written)
  let saves = 0
  page.on('request', (sent) => {
    if (sent.url().endsWith('/admin-save-document')) saves += 1
  })
  await mode(page, 'Source').click()
  await expect.poll(() => source(page)).toBe(written)
  await mode(page, 'Text').click()
  await expect(opening(page).locator('.source-block')).toHaveText(['<div>\n  HTML\n</div>', '[1]: https://example.com'])
  await expect(opening(page).getByText('שלום עולם')).toHaveCSS('direction', 'rtl')
  await opening(page).getByText('lines with').click()
  await page.keyboard.press('End')
  expect(saves).toBe(0)

  await page.keyboard.type(' [sic]')
  const changed = written.replace(
    'Two  \nlines with \\*escapes\\* &amp; _marks_ here',
    'Two\\\nlines with \\*escapes\\* & _marks_ here [sic]',
  )
  await expect.poll(stored).toBe(changed)
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(stored).toBe(written)
})

test('Text from Google Docs, Word and the web keeps its structure, and says what was left out', async ({
  page,
  openDrop,
}) => {
  const stored = await openDrop('First.')
  await opening(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.press('Enter')
  const html = `<b style="font-weight:normal" id="docs-internal-guid-1"><h2>Count it</h2>
<p>Twice, and <span style="font-weight:700">never</span> once. <a href="https://example.com/a">See how</a></p>
<ul><li><p>Cash</p></li><ul><li><p>Coins</p></li></ul></ul>
<table><tbody><tr><td>When</td><td>Who</td></tr><tr><td>Open|close</td><td>Mia</td></tr></tbody></table>
<script>window.hasRun = true</script><img src="https://example.com/a.png"></b>`
  await paste(opening(page), { 'text/html': html, 'text/plain': 'The plain words' })
  await expect(toast(page, 'Left out 1 picture or video')).toBeVisible()
  await expect(opening(page).getByRole('heading', { name: 'Count it' })).toBeVisible()
  await expect(opening(page).getByRole('cell', { name: 'Open|close' })).toBeVisible()
  const pasted = `First.

### Count it

Twice, and **never** once. [See how](https://example.com/a)

- Cash
   - Coins

| When | Who |
| --- | --- |
| Open\\|close | Mia |`
  await expect.poll(stored).toBe(pasted)
  expect(await page.evaluate(() => 'hasRun' in window)).toBe(false)
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(stored).toBe('First.')
})

test('Everything can be done with the keyboard: toolbar, links, tables and leaving the text', async ({
  page,
  openDrop,
}) => {
  const stored = await openDrop('Count it twice')
  const tools = page.getByRole('toolbar', { name: 'Format: Opening' })
  await opening(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('ControlOrMeta+b')
  await expect(tools.getByRole('button', { name: 'Bold' })).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('ControlOrMeta+k')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Link text')).toHaveValue('Count it twice')
  await dialog.getByLabel('Link address').fill('https://example.com/count')
  await page.keyboard.press('Enter')
  await expect.poll(stored).toBe('[**Count it twice**](https://example.com/count)')
  await expect(opening(page)).toBeFocused()
  await page.keyboard.press('ControlOrMeta+k')
  await expect(dialog.getByLabel('Link address')).toHaveValue('https://example.com/count')
  await dialog.getByRole('button', { name: 'Remove link' }).click()
  await expect.poll(stored).toBe('**Count it twice**')

  await page.keyboard.press('Shift+Tab')
  await expect(tools.getByRole('button', { name: 'Bold' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect.poll(stored).toBe('### **Count it twice**')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('/table')
  await page.keyboard.press('Enter')
  for (const words of ['When', 'Who', '11:00', 'Mia', '15:00']) {
    await page.keyboard.type(words)
    await page.keyboard.press('Tab')
  }
  await expect(page.getByRole('group', { name: 'Table: Opening' })).toBeVisible()
  await expect
    .poll(stored)
    .toBe('### **Count it twice**\n\n| When | Who |\n| --- | --- |\n| 11:00 | Mia |\n| 15:00 |  |')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect(opening(page)).not.toBeFocused()
})
