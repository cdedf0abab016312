import type { APIRequestContext, Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { type Account, callAs, type DemoKey, demoEmail, demoPassword, signIn } from './support/accounts.ts'
import { allLooks } from './support/all-looks.ts'
import { waitForEmail } from './support/emails.ts'
import { checkOverflow, inspect, inspectState } from './support/inspect.ts'
import { layoutShifts, watchLayoutShifts } from './support/layout.ts'
import { paste, pasteMarkdown } from './support/markdown-field.ts'
import { test as onOwnServer } from './support/own-server.ts'
import { expect, toast } from './support/test.ts'

/** Published content is visible to everyone and would disturb other tests on the shared server. */
const test = onOwnServer.extend<{ loginAs: (key: DemoKey) => Promise<Account> }>({
  loginAs: async ({ baseURL, login }, use) => {
    await use(async (key) => {
      const account = await signIn(baseURL ?? '', demoEmail(key), demoPassword)
      await login(account)
      return account
    })
  },
})

/** A name that no other test and no retry has used. */
const unique = (title: string) => `${title} ${process.pid}${Date.now().toString(36).slice(-5)}`

const saved = (page: Page) => page.getByText(/^Saved \d{1,2}:\d{2}\s[AP]M E[SD]T$/)
const toolbarOf = (page: Page, field: string) => page.getByRole('toolbar', { name: `Format: ${field}` })
async function write(page: Page, label: string, text: string) {
  const field = page.getByLabel(label, { exact: true })
  const isRich = await field.evaluate((element) => element.matches('.ProseMirror'))
  await (isRich ? pasteMarkdown(field, text) : field.fill(text))
}

/** As the two programs put it on the clipboard. */
const fromGoogleDocs = `<meta charset="utf-8"><b style="font-weight:normal" id="docs-internal-guid-1">
<h2 dir="ltr"><span style="font-weight:400">Count it</span></h2>
<p dir="ltr"><span>Twice, and </span><span style="font-weight:700">never </span><span>once_only *5. </span><a href="https://example.com/a"><span>See [how]</span></a><a href="javascript:alert(1)">here</a></p>
<ul><li dir="ltr"><p><span>Cash</span></p></li><ul><li><p><span>Coins</span></p></li></ul><li><p><span>Cards</span></p></li></ul>
<table><tbody><tr><td><p>When</p></td><td><p>Who</p></td></tr><tr><td><p>Open|close</p></td><td><p>Mia</p></td></tr></tbody></table>
<script>alert(1)</script><img src="https://example.com/spy.png"></b>`
const pastedFromGoogleDocs = `### Count it

Twice, and **never** once_only \\*5. [See how](https://example.com/a)here

- Cash
   - Coins
- Cards

| When | Who |
| --- | --- |
| Open\\|close | Mia |`
const fromWord = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p {color: red}</style></head><body><!--StartFragment-->
<p class=MsoNormal>First <b>weigh</b><o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>1.<span>&nbsp;&nbsp;</span></span><![endif]>Cheese<o:p></o:p></p>

<p class=MsoListParagraphCxSpLast style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>o<span>&nbsp;</span></span>Only the <i>grated</i></p>
<!--EndFragment--></body></html>`
const fromWeb =
  '<ol start="5"><li>Five</li><li>Six</li></ol><pre>line 1<br>line 2</pre><pre><code>```\n# no heading\n```</code></pre><p><b><i>Worse.<br></i></b>So</p><table><tr><th colspan="2">Both</th></tr><tr><td>a</td><td>b</td></tr></table>'
const pastedFromWeb =
  '5. Five\n6. Six\n\n```\nline 1\nline 2\n```\n\n````\n```\n# no heading\n```\n````\n\n***Worse.***\nSo\n\n| Both |     |\n| --- | --- |\n| a   | b   |'
const pastedFromWord = `First **weigh**

1. Cheese
   - Only the *grated*`

/** The source of a Markdown field. */
const expectMarkdown = (editor: Locator, text: string | RegExp) => expect(editor).toHaveValue(text)

/** A red square with a transparent corner, as small as an image can be. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

/** Opens and folds what a drop has besides its text. */
const detailsOf = (page: Page) => page.locator('summary').filter({ hasText: /^Details/ })

/** Locates one Markdown field with the menus below it. */
const fieldOf = (page: Page, name: string) =>
  page.locator('div.grid.gap-2').filter({ has: page.getByLabel(name, { exact: true }) })

type Texts = { intro: string; body: string }

async function newDrop(api: APIRequestContext, admin: Account, title: string, texts: Partial<Texts> = {}) {
  const made = await callAs<StoredDocument>(api, admin, 'admin-create-document', { kind: 'issue', title })
  const section = {
    id: crypto.randomUUID(),
    heading: 'Count the till twice',
    summary: 'Two counts, one sheet.',
    focusAreas: ['Finance'],
    aiLevel: 'beginner',
    goals: [],
    franchiseTypes: [],
    minutes: 10,
    body: texts.body ?? 'Count it once before the rush.',
  }
  return callAs<StoredDocument>(api, admin, 'admin-save-document', {
    kind: 'issue',
    id: made.id,
    version: made.version,
    document: {
      slug: made.id,
      title,
      date: '2020-02-04',
      preview: 'A short sheet for the end of the day.',
      tags: ['Finance'],
      intro: texts.intro ?? 'Most differences are slips.',
      sections: [section],
      closing: 'Until next week.',
    },
  })
}

test('A drop is written from scratch, tested as an email, published, and read in the portal', async ({
  page,
  request,
  loginAs,
}) => {
  const title = unique('The two-minute till count')
  await loginAs('admin')
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Content', exact: true }).click()
  await expect(page).toHaveURL('/admin/content/drops')
  let created = 0
  page.on('request', (sent) => {
    if (sent.url().endsWith('/admin-create-document')) created += 1
  })
  await page.getByRole('button', { name: 'New drop' }).dblclick()
  await expect(page.getByLabel('Title', { exact: true })).toBeFocused()
  await expect(page.getByText('Draft', { exact: true })).toBeVisible()
  expect(created).toBe(1)
  const text = page.getByLabel('Text', { exact: true })
  await expect(text).toBeInViewport()
  await inspectState(page, 'publishing-new-drop')

  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(toast(page, 'Not ready to publish')).toBeVisible()
  await expect(page.getByLabel('Title', { exact: true })).toBeFocused()

  await page.keyboard.type(title)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await write(page, 'Text', 'Most differences are **slips**, not theft.')
  await detailsOf(page).click()
  const details = page.getByRole('group').filter({ has: detailsOf(page) })
  await expect(details.getByLabel('Preview', { exact: true })).toHaveAttribute(
    'placeholder',
    'From the text: Most differences are slips, not theft.',
  )
  await write(page, 'Date', '2020-01-07')
  await detailsOf(page).click()
  await page.getByRole('button', { name: 'Add section' }).click()
  await expect(text).toBeFocused()
  await page.keyboard.type('Count it twice')
  await page.keyboard.press('Enter')
  await paste(text, { 'text/plain': 'Use this sheet:\n\n| When | Who |\n| --- | --- |\n| 11:00 | Shift lead |' })
  await page
    .getByText(/^For members · 1 min$/)
    .last()
    .click()
  await page.getByRole('group', { name: 'Focus areas' }).last().getByRole('checkbox', { name: 'Finance' }).check()

  const preview = page.frameLocator('iframe[title=Preview]')
  await expect(preview.getByRole('heading', { level: 2, name: 'Count it twice' })).toBeVisible()
  await expect(preview.getByRole('cell', { name: 'Shift lead' })).toBeVisible()
  await expect(preview.locator('strong')).toHaveText('slips')
  await expect(saved(page)).toBeVisible()

  await page.getByRole('link', { name: 'Email preview' }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  const email = page.frameLocator('iframe[title="Email preview"]')
  await expect(email.getByRole('heading', { level: 2, name: 'Count it twice' })).toBeVisible()
  await page.getByLabel('Preview as a member').fill(demoEmail('pro'))
  await expect(page.getByText('Sections in this member’s order.')).toBeVisible()
  await expect(
    page.getByRole('region', { name: 'Checks' }).getByRole('listitem').or(page.getByText('No problems found.')).first(),
  ).toBeVisible()
  await page.getByLabel('Send a test email to').fill('desk@example.com')
  await page.getByRole('button', { name: 'Send test email' }).click()
  await expect(page.getByText('Test email sent to desk@example.com.')).toBeVisible()
  expect(await waitForEmail(request, 'desk@example.com', new RegExp(`^\\[Test\\] ${title}$`))).toBeTruthy()
  await checkOverflow(page, 'publishing-email-preview')
  await page.getByRole('link', { name: 'Back to the editor' }).click()

  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await expect(toast(page, 'Published')).toBeVisible()
  await expect(page.getByText('Published', { exact: true }).first()).toBeVisible()

  await page.getByRole('link', { name: 'View in portal' }).click()
  // The editor has the same heading, so wait for a link that only the portal has.
  await expect(page.getByRole('link', { name: 'All weekly drops' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await page.goBack()
  await page.getByRole('button', { name: 'Send by email' }).click()
  await expect(page.getByLabel('Subject', { exact: true })).toHaveValue(title)
  const mailing = page.url()
  await page.goBack()
  await page.getByRole('link', { name: 'Continue email draft' }).click()
  await expect(page).toHaveURL(mailing)
  await page.goto('/admin/settings/log?event=content_published')
  const line = page.getByRole('list', { name: 'Security events' }).getByRole('listitem').first()
  await expect(line).toContainText('Published content')
  await expect(line).toContainText(`by ${demoEmail('admin')}`)
  await checkOverflow(page, 'staff-log')
  await line.getByRole('link', { name: `Drop “${title}”` }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()

  await loginAs('pro')
  await page.goto('/portal/weekly-drops')
  await page.getByRole('link', { name: title }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(page.getByRole('cell', { name: 'Shift lead' })).toBeVisible()
})

test('A drop with a future date is scheduled instead of published, which can be undone', async ({
  page,
  request,
  loginAs,
}) => {
  const admin = await loginAs('admin')
  const title = unique('Tills in spring')
  const { id, version, document } = await newDrop(request, admin, title)
  const day = new Date(Date.now() + 60 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  const dated = new Date(day).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
  await callAs(request, admin, 'admin-save-document', {
    kind: 'issue',
    id,
    version,
    document: { ...document, date: day },
  })
  await page.goto(`/admin/content/drops/${id}`)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const question = page.getByRole('dialog', { name: `This drop is dated ${dated}` })
  await question.getByRole('button', { name: `Schedule it for ${dated}` }).click()

  const schedule = page.getByRole('dialog', { name: 'Schedule this drop' })
  await expect(schedule.getByLabel('Day')).toHaveValue(day)
  await schedule.getByLabel('Day').fill('2020-01-07')
  await schedule.getByRole('button', { name: 'Schedule' }).click()
  await expect(schedule.getByText('That time has passed. Choose a later one, or publish now.')).toBeVisible()
  await checkOverflow(page, 'publishing-schedule')
  await schedule.getByLabel('Day').fill(day)
  await schedule.getByRole('button', { name: 'Schedule' }).click()
  await expect(toast(page, 'Scheduled')).toBeVisible()
  const inWords = new Date(day).toLocaleDateString('en-US', { dateStyle: 'full', timeZone: 'UTC' })
  await expect(page.getByRole('status').getByText(`Publishes ${inWords} at 7:00 AM`)).toBeVisible()

  await detailsOf(page).click()
  await write(page, 'Preview', 'Another thought.')
  await expect(saved(page)).toBeVisible()
  await expect(page.getByText('You’ve edited it since.')).toBeVisible()
  await expect(page.getByText('Scheduled', { exact: true }).first()).toBeVisible()
  await checkOverflow(page, 'publishing-scheduled')
  await page.getByRole('button', { name: 'Save and update the schedule' }).click()
  await expect(page.getByText('You’ve edited it since.')).toBeHidden()

  // Another time than its date: the date follows.
  const sooner = new Date(Date.now() + 30 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  await page.getByRole('button', { name: 'Reschedule' }).click()
  await schedule.getByLabel('Day').fill(sooner)
  await schedule.getByRole('button', { name: 'Schedule' }).click()
  await expect(schedule).toBeHidden()
  await expect(page.getByLabel('Date', { exact: true })).toHaveValue(sooner)
  await page.goto('/admin/content/drops')
  const row = page.getByRole('listitem').filter({ hasText: title })
  const inList = new Date(sooner).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
  await expect(row.getByText(`Publishes ${inList}, 7:00 AM`)).toBeVisible()
  await row.getByRole('link', { name: title }).click()
  await page.getByRole('button', { name: 'Cancel schedule' }).click()
  await expect(page.getByRole('button', { name: 'Cancel schedule' })).toHaveCount(0)
  await callAs(request, admin, 'admin-delete-documents', { kind: 'issue', ids: [id] })
})

test('The landing page shows what is published: an unpublished tool is replaced, even without JavaScript', async ({
  page,
  request,
  browser,
  baseURL,
  loginAs,
}) => {
  const admin = await loginAs('admin')
  const name = { kind: 'tool', id: 'notebooklm' } as const
  const { version, document } = await callAs<StoredDocument>(request, admin, 'admin-read-document', name)
  const verdict = 'verdict' in document ? document.verdict : ''
  const context = await browser.newContext({ baseURL, javaScriptEnabled: false })
  const plain = await context.newPage()
  const shows = async () => {
    await plain.goto('/')
    return plain.getByText(verdict).count()
  }
  expect(await shows()).toBe(1)
  await callAs(request, admin, 'admin-unpublish-document', name)
  await expect.poll(shows, { timeout: 60_000 }).toBe(0)
  await expect(plain.getByRole('heading', { level: 3, name: 'Tool Picks' })).toBeVisible()

  const messages: string[] = []
  page.on('console', (message) => messages.push(message.text()))
  await watchLayoutShifts(page)
  await page.goto('/', { waitUntil: 'networkidle' })
  await expect(page.getByText(verdict)).toHaveCount(0)
  expect(messages).toEqual([])
  expect(await layoutShifts(page)).toEqual([])
  await checkOverflow(page, 'landing-other-tool')

  await callAs(request, admin, 'admin-publish-document', { ...name, version })
  await expect.poll(shows, { timeout: 60_000 }).toBe(1)
  // Coming from another page, the samples are loaded as data.
  await page.goto('/nowhere')
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await expect(page.getByText(verdict)).toBeVisible()
  await context.close()
})

test('Small headings, wide code and an opening before a list are laid out correctly, on a phone too', async ({
  page,
  request,
  loginAs,
}) => {
  const admin = await loginAs('admin')
  const wide = 'curl https://api.example.net/v1/locations/4711/shifts/2025-03-03/close --data-binary @close.json'
  const { kind, id, version } = await newDrop(request, admin, unique('Set in type'), {
    intro: 'Two things:\n\n- The first, long enough for a second line on a phone and then some\n- The second',
    body: `A text.\n\n### Before you start\n\nA text.\n\n#### On the day\n\nUse \`${wide}\`.\n\n\`\`\`\n${wide}\n\`\`\``,
  })
  await callAs(request, admin, 'admin-publish-document', { kind, id, version })
  await page.setViewportSize({ width: 360, height: 780 })
  await page.goto(`/portal/weekly-drops/${id}`)
  const size = (name: string) =>
    page
      .getByRole('heading', { name })
      .evaluate((heading) => [heading.tagName, Number.parseFloat(getComputedStyle(heading).fontSize)] as const)
  expect(await size('Before you start')).toEqual(['H3', 20])
  expect(await size('On the day')).toEqual(['H4', 18])
  const code = page.locator('pre')
  expect(await code.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0)
  const lines = await page
    .locator('.dropcap li')
    .first()
    .evaluate((item) => {
      const range = document.createRange()
      range.selectNodeContents(item)
      return [...range.getClientRects()].map(({ left }) => Math.round(left))
    })
  expect(lines.length).toBeGreaterThan(1)
  expect(new Set(lines).size).toBe(1)
  await checkOverflow(page, 'publishing-typesetting')
  await callAs(request, admin, 'admin-unpublish-document', { kind, id })
})

test('A mailing check links to the line of the drop or block that it is about', async ({ page, request, loginAs }) => {
  const admin = await loginAs('admin')
  const block = unique('how-it-was-tested').replaceAll(' ', '-')
  await callAs(request, admin, 'admin-save-block', {
    id: block,
    version: 0,
    title: block,
    body: 'Tested.\nBy {{nickname}}',
  })
  const { kind, id, version } = await newDrop(request, admin, unique('Left unfinished'), {
    body: `{{block:${block}}}\n\nFine.\nFor {{pet}} only\nFine again.`,
  })
  await callAs(request, admin, 'admin-publish-document', { kind, id, version })
  const mailing = await callAs<{ id: string }>(request, admin, 'admin-create-mailing', { kind: 'issue', issueId: id })
  const selected = () => page.evaluate(() => getSelection()?.toString())
  await page.goto(`/admin/newsletter/${mailing.id}`)
  await page.getByRole('link', { name: 'Section 1, text, line 4' }).click()
  await expect(page.getByLabel('Text', { exact: true })).toBeFocused()
  await expect.poll(selected).toBe('For {{pet}} only')
  await checkOverflow(page, 'publishing-from-check')
  await page.goBack()
  await page.getByRole('link', { name: `Block “${block}”, line 2` }).click()
  await expect(page.getByLabel('Text', { exact: true })).toBeFocused()
  await expect.poll(selected).toBe('By {{nickname}}')
  await callAs(request, admin, 'admin-delete-mailing', { id: mailing.id })
  await callAs(request, admin, 'admin-unpublish-document', { kind, id })
})

test('Two tabs edit the same drop: the second one shows both texts and lets the user decide', async ({
  page,
  context,
  request,
  loginAs,
}) => {
  const admin = await loginAs('admin')
  const { id } = await newDrop(request, admin, unique('Two tabs'))
  const other = await context.newPage()
  for (const tab of [page, other]) {
    await tab.goto(`/admin/content/drops/${id}`)
    await expect(tab.getByLabel('Title', { exact: true })).toBeVisible()
  }
  await write(page, 'Title', 'The first tab was quicker')
  await write(page, 'Opening', 'Only the first tab wrote this.')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(saved(page)).toBeVisible()
  // Both changes are in one save, which the first one starts.
  await other.route('**/functions/v1/admin-save-document', (route) => route.abort())
  await write(other, 'Title', 'The second tab came late')
  await write(other, 'Closing', 'Only the second tab wrote this.')
  await other.unroute('**/functions/v1/admin-save-document')
  await other.keyboard.press('ControlOrMeta+s')
  const dialog = other.getByRole('dialog', { name: 'Newer changes were saved' })
  await expect(dialog).toContainText('You saved this in another tab or browser')
  await expect(dialog.getByRole('term')).toHaveText([
    'Title',
    'OpeningOnly they changed this',
    'ClosingOnly you changed this',
  ])
  await expect(dialog.getByRole('definition')).toHaveText([
    'YoursThe second tab came lateTheirsThe first tab was quicker',
    'TheirsOnly the first tab wrote this.',
    'YoursOnly the second tab wrote this.',
  ])
  await checkOverflow(other, 'publishing-conflict')
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await expect(saved(other)).toBeVisible()
  await expect(other.getByLabel('Opening', { exact: true })).toHaveText('Only the first tab wrote this.')
  await expect(other.getByLabel('Closing', { exact: true })).toHaveText('Only the second tab wrote this.')

  await other.getByRole('button', { name: 'Versions' }).click()
  await other
    .getByRole('button', { name: /^Saved/ })
    .last()
    .click()
  await expect(other.getByRole('dialog')).toContainText('The second tab came late')
  await checkOverflow(other, 'publishing-version')
  await other.getByRole('button', { name: 'Restore this version' }).click()
  await expect(other.getByRole('dialog')).toHaveCount(0)
  await expect(saved(other)).toBeVisible()
})

test('A failed save shows an error, keeps the text on the page, and is retried when the server responds', async ({
  page,
  request,
  loginAs,
}) => {
  const admin = await loginAs('admin')
  const { id } = await newDrop(request, admin, unique('Offline'))
  await page.goto(`/admin/content/drops/${id}`)
  await expect(saved(page)).toBeVisible()
  await page.route('**/functions/v1/admin-save-document', (route) => route.abort())
  await write(page, 'Closing', 'Written in the cellar.')
  await expect(page.getByText('Not saved: you’re offline')).toBeVisible()
  await page.getByRole('link', { name: 'All drops' }).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(page.getByLabel('Closing', { exact: true })).toHaveText('Written in the cellar.')
  // Still offline. The page also retries by itself, so once it can save, the button may be gone at any moment.
  const retried = page.waitForRequest('**/functions/v1/admin-save-document')
  await page.getByRole('button', { name: 'Retry' }).click()
  await retried
  await page.unroute('**/functions/v1/admin-save-document')
  await expect(saved(page)).toBeVisible()
  await write(page, 'Closing', 'Saved on the way out.')
  await page.getByRole('link', { name: 'All drops' }).click()
  await expect(page).toHaveURL('/admin/content/drops')
  const { document } = await callAs<StoredDocument>(request, admin, 'admin-read-document', { kind: 'issue', id })
  expect(document).toMatchObject({ closing: 'Saved on the way out.' })
})

test('An image is inserted with its alt text, cached permanently, and has its space reserved', async ({
  page,
  request,
  loginAs,
}) => {
  const admin = await loginAs('admin')
  const { id } = await newDrop(request, admin, unique('With a picture'))
  await page.goto(`/admin/content/drops/${id}`)
  await toolbarOf(page, 'Opening').getByRole('button', { name: 'Insert image' }).click()
  const dialog = page.getByRole('dialog', { name: 'Insert an image' })
  await dialog.getByRole('button', { name: 'Insert image' }).click()
  await expect(dialog.getByText('Choose an image')).toBeVisible()
  await dialog.getByLabel('Upload an image').setInputFiles({ name: 'till.txt', mimeType: 'image/png', buffer: pixel })
  await expect(dialog.getByText('Choose an image')).toHaveCount(0)
  await expect(dialog.getByRole('radio', { name: /till\.txt, 1 by 1/ }).first()).toBeChecked()
  await dialog.getByRole('button', { name: 'Insert image' }).click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'Describe the image' })).toBeVisible()
  await dialog.getByLabel('Alt text').fill('A red square')
  await checkOverflow(page, 'publishing-image')
  await dialog.getByRole('button', { name: 'Insert image' }).click()
  await expect(page.getByLabel('Opening', { exact: true }).getByRole('img', { name: 'A red square' })).toHaveAttribute(
    'src',
    /^\/media\/[0-9a-f]{64}\.png$/,
  )
  const image = page.frameLocator('iframe[title=Preview]').getByRole('img', { name: 'A red square' })
  await expect(image).toHaveAttribute('width', '1')
  const answer = await request.get((await image.getAttribute('src')) ?? '')
  expect(answer.headers()).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  })

  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Insert image' }).first().click()
  const file = { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload="alert(1)"/>') }
  await dialog.getByLabel('Upload an image').setInputFiles(file)
  const refusal = dialog.getByText('Images can be JPEG, PNG, WebP or GIF', { exact: true })
  await expect(refusal).toBeVisible()
  await dialog.getByRole('radio').first().check({ force: true })
  await expect(refusal).toHaveCount(0)
})

test('A source is written with toolbar and shortcuts, images come by paste and drop, and the preview follows', async ({
  page,
  browser,
  request,
  loginAs,
}) => {
  const admin = await loginAs('admin')
  const { id } = await newDrop(request, admin, unique('With every block'), { intro: 'Opening.\n\n'.repeat(40) })
  await page.goto(`/admin/content/drops/${id}`)
  await page.getByRole('group', { name: 'Show: Closing' }).getByRole('button', { name: 'Source' }).click()
  const field = page.getByLabel('Closing', { exact: true })
  const tools = toolbarOf(page, 'Closing')
  await expect(saved(page)).toBeVisible()
  await field.fill('Count twice')
  await field.selectText()
  await page.keyboard.press('ControlOrMeta+b')
  await expectMarkdown(field, '**Count twice**')
  await page.keyboard.press('ControlOrMeta+z')
  await expectMarkdown(field, 'Count twice')
  await page.keyboard.press('ControlOrMeta+b')

  // One tab stop; the arrow keys move inside the toolbar.
  await tools.getByRole('button', { name: 'Bold' }).focus()
  await page.keyboard.press('End')
  await expect(tools.getByRole('button', { name: 'Markdown help' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Markdown help' })).toContainText('[!TIP]')
  await checkOverflow(page, 'publishing-markdown-help')
  await page.keyboard.press('Escape')

  await field.focus()
  await page.keyboard.press('ControlOrMeta+End')
  await tools.getByRole('button', { name: 'Insert button' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Button text').fill('Book a demo')
  await dialog.getByLabel('Link address').fill('javascript:alert(1)')
  await dialog.getByRole('button', { name: 'Insert button' }).click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'Start the address with https://' })).toBeVisible()
  await dialog.getByLabel('Link address').fill('https://example.com/demo')
  await dialog.getByRole('button', { name: 'Insert button' }).click()
  await expectMarkdown(field, '**Count twice**\n\n[Book a demo](https://example.com/demo "button")')
  await expect(field).toBeFocused()

  const transfer = await page.evaluateHandle((base64) => {
    const data = new DataTransfer()
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    data.items.add(new File([bytes], 'till.png', { type: 'image/png' }))
    return data
  }, pixel.toString('base64'))
  for (const [way, alt] of [
    ['paste', 'A pasted till'],
    ['drop', 'A dropped till'],
  ] as const) {
    await field.evaluate(
      (area, { type, data }) =>
        area.dispatchEvent(
          type === 'paste'
            ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
            : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }),
        ),
      { type: way, data: transfer },
    )
    await expect(dialog.getByRole('radio', { name: /1 by 1/ }).first()).toBeChecked()
    await dialog.getByLabel('Alt text').fill(alt)
    await dialog.getByRole('button', { name: 'Insert image' }).click()
    await expectMarkdown(field, new RegExp(`!\\[${alt}\\]\\(/media/`))
  }

  await tools.getByRole('button', { name: 'Insert video' }).click()
  await dialog.getByRole('radio').first().check({ force: true })
  await dialog.getByLabel('Alt text').fill('The lid test')
  await dialog.getByLabel('Video address').fill('https://example.com/video')
  await dialog.getByRole('button', { name: 'Insert video' }).click()
  await expectMarkdown(field, /\]\(https:\/\/example\.com\/video "video"\)$/)
  await tools.getByRole('button', { name: 'Insert table' }).click()
  await page.keyboard.type('When')
  await expectMarkdown(field, /\| When \| Column \|\n\| --- \| --- \|/)
  await page.keyboard.press('Tab')
  await expect(field).not.toBeFocused()
  await field.focus()
  await page.keyboard.press('ControlOrMeta+End')
  await fieldOf(page, 'Closing').getByLabel('Insert prompt, callout or file').selectOption('Warning')
  await expectMarkdown(field, /> \[!WARNING\]\n> Text$/)
  await page.keyboard.type('Never on a Friday')

  const preview = page.frameLocator('iframe[title=Preview]')
  await expect(preview.getByRole('note')).toContainText('Never on a Friday')
  await expect(preview.locator('[data-editing]')).toHaveText('Never on a Friday')
  await expect(preview.locator('[data-editing]')).toBeInViewport()
  await expect(preview.getByRole('link', { name: 'Book a demo' })).toHaveClass('button')
  await expect(preview.getByRole('link', { name: /The lid test.*Watch the video/ })).toBeVisible()
  await expect(preview.getByRole('columnheader', { name: 'When' })).toBeVisible()

  await detailsOf(page).click()
  await page.getByLabel('Poll', { exact: true }).fill('Did the lid fit?')
  await page.getByLabel('Answers of the poll').fill('Yes\nNo')
  await expect(preview.getByText('Did the lid fit?')).toBeVisible()
  await expect(preview.locator('button', { hasText: /^No$/ })).toBeVisible()
  await page.getByRole('group', { name: 'Show: What it’s worth' }).getByRole('button', { name: 'Source' }).click()
  const worth = page.getByLabel('What it’s worth', { exact: true })
  for (const [html, markdown] of [
    [fromGoogleDocs, pastedFromGoogleDocs],
    [fromWord, pastedFromWord],
    [fromWeb, pastedFromWeb],
  ] as const) {
    await worth.fill('')
    await worth.evaluate((area, pasted) => {
      const data = new DataTransfer()
      data.setData('text/html', pasted)
      data.setData('text/plain', 'The plain words')
      // Word adds a picture of the words.
      data.items.add(new File(['x'], 'image.png', { type: 'image/png' }))
      area.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }, html)
    await expectMarkdown(worth, markdown)
    await page.keyboard.press('ControlOrMeta+z')
    await expectMarkdown(worth, '')
    await page.keyboard.press('ControlOrMeta+Shift+z')
  }
  await expect(saved(page)).toBeVisible()

  await inspectState(page, 'publishing-markdown-editor')

  // Text typed when the session had ended is back after signing in again.
  const other = await browser.newPage()
  const signIn = async () => {
    await other.getByLabel('Email').fill(demoEmail('admin'))
    await other.getByLabel('Password', { exact: true }).fill(demoPassword)
    await other.getByRole('button', { name: 'Sign In', exact: true }).click()
  }
  await other.goto(`/admin/content/drops/${id}`)
  await signIn()
  await expect(saved(other)).toBeVisible()
  const stored = await other.evaluate(() =>
    Object.values(localStorage).find((value: string) => value.includes('access_token')),
  )
  const { access_token } = JSON.parse(stored ?? '') as { access_token: string }
  const headers = { Authorization: `Bearer ${access_token}` }
  await detailsOf(other).click()
  // No call tells the page of the ended session before the text is typed.
  const typed = Promise.withResolvers<void>()
  await other.route('**/functions/v1/**', async (route) => {
    await typed.promise
    await route.continue()
  })
  expect((await request.post('/auth/v1/logout?scope=local', { headers })).status()).toBe(204)
  await write(other, 'Question', 'Which count was right?')
  typed.resolve()
  await expect(other.getByText('Your session has ended. Sign in again to continue.')).toBeVisible()
  // The text may have been refused more than once.
  const saving = other.waitForResponse((answer) => answer.url().endsWith('/admin-save-document') && answer.ok())
  await signIn()
  await expect(other.getByLabel('Question', { exact: true })).toHaveValue('Which count was right?')
  await saving
  await expect(saved(other)).toBeVisible()
  await other.close()
})

test('An out-of-range rating stays as typed, is marked as invalid, and is not published', async ({
  page,
  request,
  loginAs,
}) => {
  const admin = await loginAs('admin')
  const read = () =>
    callAs<StoredDocument>(request, admin, 'admin-read-document', { kind: 'tool', id: 'zapier' }).then(
      ({ document }) => (document as { rating: number }).rating,
    )
  const rating = page.getByLabel('Rating', { exact: true })
  await page.goto('/admin/content/tools/zapier')
  const before = await rating.inputValue()
  await rating.fill('7')
  await expect(page.getByRole('alert').getByText('The rating must be between 0 and 5')).toBeVisible()
  await expect(saved(page)).toBeVisible()
  await expect(rating).toHaveValue('7')
  expect(await read()).toBe(7)
  await page.getByRole('button', { name: 'Publish changes' }).click()
  await expect(toast(page, 'Not ready to publish')).toContainText('The rating must be between 0 and 5')
  await expect(rating).toBeFocused()
  await checkOverflow(page, 'publishing-rating')
  await rating.fill(before)
  await expect(page.getByRole('alert').getByText('The rating must be')).toHaveCount(0)
  await expect.poll(read).toBe(Number(before))
})

test('A guide gets a new file, which readers get once it is published; who saved it is told what changed', async ({
  page,
  request,
  baseURL,
  loginAs,
}) => {
  const admin = await loginAs('admin')
  const title = unique('Closing checklist')
  const made = await callAs<StoredDocument>(request, admin, 'admin-create-document', { kind: 'guide', title })
  await page.goto(`/admin/content/guides/${made.id}`)
  const pdf = (text: string) => ({
    name: 'Check list.PDF',
    mimeType: 'application/pdf',
    buffer: Buffer.from(`%PDF-1.4 ${text}`),
  })
  await page.getByLabel('Upload a file').setInputFiles(pdf('first'))
  await expect(page.getByText('Version 1')).toBeVisible()
  await expect(page.getByLabel('Format')).toHaveValue('PDF')
  await write(page, 'Length', '2 pages')
  await write(page, 'Description', 'What the last one out looks at.')
  await write(page, 'Inside', 'Doors\nTill\nFreezers')
  await expect(saved(page)).toBeVisible()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await expect(toast(page, 'Published')).toBeVisible()

  await page.getByLabel('Upload a new version').setInputFiles(pdf('second'))
  await expect(page.getByText('Version 2')).toBeVisible()
  await expect(page.getByText('Changed since publishing')).toBeVisible()
  const download = async () => {
    const { url } = await callAs<{ url: string }>(request, admin, 'download-guide', { id: made.id })
    return (await request.get(url)).text()
  }
  expect(await download()).toBe('%PDF-1.4 first')
  await expect(saved(page)).toBeVisible()
  const reader = await signIn(baseURL ?? '', demoEmail('pro'), demoPassword)
  const kept = { kind: 'guide', id: made.id, saved: true, at: new Date().toISOString() }
  await callAs(request, reader, 'save-item', kept)
  await write(page, 'Inside', 'Doors\nTill\nFreezers\nAlarm')
  await write(page, 'Valid until', '2026-01-31')
  await write(page, 'What changed', 'The alarm is on the list now.')
  await expect(saved(page)).toBeVisible()
  await inspect(page, 'publishing-guide')
  await page.getByRole('button', { name: 'Publish changes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish changes to this guide?' })
  await expect(dialog).toContainText('Readers see your changes right away.')
  await dialog.getByRole('button', { name: 'Publish changes' }).click()
  await expect(page.getByText('Changed since publishing')).toHaveCount(0)
  expect(await download()).toBe('%PDF-1.4 second')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download version 1' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('check-list.pdf')

  await loginAs('pro')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`/portal/guides#${made.id}`)
  const guide = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2, name: title }) })
  await expect(guide).toContainText('Changed since you saved it: The alarm is on the list now.')
  await expect(guide).toContainText('Out of date: valid until Jan 31, 2026')
  await guide.getByRole('button', { name: `what changed in ${title}` }).click()
  await expect(guide.getByRole('listitem').filter({ hasText: /^Version 2/ })).toContainText('The alarm is on the list')
  await checkOverflow(page, 'changed-guide')
  await page.setViewportSize({ width: 360, height: 740 })
  const dismissed = page.waitForResponse('**/dismiss-change')
  await guide.getByRole('button', { name: /^Got it/ }).click()
  await expect(guide).not.toContainText('Changed since you saved it')
  await dismissed
  await page.reload()
  await expect(guide.getByRole('button', { name: `what changed in ${title}` })).toBeVisible()
  await expect(guide).not.toContainText('Changed since you saved it')
  await callAs(request, admin, 'admin-unpublish-document', { kind: 'guide', id: made.id })
})

test('Packs and tools can be moved with the keyboard, focus stays on the moved item, and readers see the new order', async ({
  page,
  loginAs,
}) => {
  await loginAs('admin')
  for (const [shelf, name] of [
    ['prompt-packs', 'Prompt packs'],
    ['tools', 'Tools'],
  ] as const) {
    await page.goto(`/admin/content/${shelf}`)
    const titles = () => page.getByRole('list', { name }).getByRole('link').allInnerTexts()
    await expect(page.getByRole('list', { name })).toBeVisible()
    const before = await titles()
    const [first = '', second = ''] = before
    const after = [second, first, ...before.slice(2)]
    const down = page.getByRole('button', { name: `Move ${first} down` })
    await down.focus()
    // The list shows the new order before it is saved.
    const isMovedDown = page.waitForResponse('**/admin-order-content')
    await page.keyboard.press('Enter')
    await expect.poll(titles).toEqual(after)
    await expect(
      page.getByRole('button', { name: new RegExp(`^Move ${first}`) }).and(page.locator(':focus')),
    ).toHaveCount(1)
    await isMovedDown
    await page.reload()
    await expect.poll(titles).toEqual(after)
    await page.goto(`/portal/${shelf}`)
    const shown = page.getByRole('main').getByRole('heading', { level: 2 })
    // A reader's focus areas come first, so only packs of one category show the order.
    if (shelf !== 'prompt-packs')
      await expect.poll(async () => (await shown.allInnerTexts()).slice(0, 2)).toEqual([second, first])
    await page.goto(`/admin/content/${shelf}`)
    const isMovedUp = page.waitForResponse('**/admin-order-content')
    await page.getByRole('button', { name: `Move ${first} up` }).click()
    await expect.poll(titles).toEqual(before)
    await isMovedUp
  }
})

test('A block is written once and expanded wherever a drop references it', async ({ page, request, loginAs }) => {
  const admin = await loginAs('admin')
  const name = unique('How we test')
  await page.goto('/admin/content/blocks')
  await page.getByRole('button', { name: 'New block' }).click()
  await page.getByLabel('Name').fill(name)
  await write(page, 'Text', 'We try every tool for a *week*.')
  await page.getByRole('button', { name: 'Save block' }).click()
  await expect(page.getByRole('list', { name: 'Blocks' }).getByText(name)).toBeVisible()

  const { id } = await newDrop(request, admin, unique('With a block'))
  await page.goto(`/admin/content/drops/${id}`)
  await fieldOf(page, 'Closing').getByLabel('Insert block').selectOption(name)
  await expect(page.getByLabel('Closing', { exact: true })).toContainText(/Block: how-we-test-[a-z0-9]+/)
  const preview = page.frameLocator('iframe[title=Preview]')
  await expect(preview.locator('em', { hasText: 'week' })).toBeVisible()
  await write(page, 'Closing', '{{block:never-written}}')
  await page.getByText('Fix 1 problem before publishing').click()
  await page.getByRole('button', { name: 'There is no block named “never-written”' }).click()
  await expect(page.getByLabel('Closing', { exact: true })).toBeFocused()
})

test('A drop is planned in the calendar, checked while writing, and scheduled and moved with its email', async ({
  page,
  request,
  loginAs,
}) => {
  const admin = await loginAs('admin')
  const title = unique('Planned')
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Calendar' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Calendar' })).toBeVisible()
  await page
    .getByRole('button', { name: /^Plan a drop on / })
    .last()
    .click()
  await expect(page.getByLabel('Title', { exact: true })).toBeFocused()
  await write(page, 'Title', title)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(page.getByLabel('Date', { exact: true })).not.toHaveValue('')

  await page.getByRole('button', { name: 'Add opening for everyone' }).click()
  await write(page, 'Opening', 'Most differences are slips.\n\nHello {{first_name}}, see the next section.')
  await page.getByText(/^Still missing: the text/).click()
  await page.getByRole('button', { name: /“the next section” can mislead/ }).click()
  await expect(page.getByLabel('Opening', { exact: true })).toBeFocused()
  await write(page, 'Opening', 'Most differences are slips.\n\nHello {{first_name}}.')
  await write(page, 'Text', 'Count it once before the rush. Then count it again.')
  await expect(page.getByText('Ready to publish, with 1 tip')).toBeVisible()
  await page.getByRole('button', { name: /has no fallback/ }).click()
  await expect(page.getByLabel('Opening', { exact: true })).toBeFocused()
  await expect(saved(page)).toBeVisible()

  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Also email it').click()
  await expect(dialog.getByRole('checkbox', { name: 'Also email it' })).toBeChecked()
  await expect(dialog.getByLabel('Subject', { exact: true })).toHaveValue(title)
  await expect(dialog.getByText(/\d+ readers? would receive it now/)).toBeVisible()
  const scheduling = page.waitForResponse('**/admin-schedule-drop')
  await dialog.getByRole('button', { name: 'Schedule both' }).click()
  const before = (await (await scheduling).json()) as StoredDocument
  await expect(page.getByText(`goes out: “${title}”`)).toBeVisible()

  await page.goto('/admin/content/calendar')
  await expect(page.getByText('Email planned')).toBeVisible()
  await inspect(page, 'content-calendar')
  await page.setViewportSize({ width: 360, height: 800 })
  await expect(page.getByRole('region', { name: /^Week of / }).first()).toContainText('This week')
  await page.getByRole('button', { name: `Move to… ${title}` }).click()
  await expect(page.getByRole('radio', { name: /One week later/ })).toBeChecked()
  await expect(page.getByText(/Its email moves with it/)).toBeVisible()
  const moving = page.waitForResponse('**/admin-move-drop')
  await page.getByRole('button', { name: 'Move drop and email' }).click()
  const after = (await (await moving).json()) as StoredDocument
  await expect(page.getByText(/^Moved to /).first()).toBeVisible()
  const days = (Date.parse(after.scheduled?.at ?? '') - Date.parse(before.scheduled?.at ?? '')) / 86_400_000
  expect(Math.round(days)).toBe(7)
  expect(after.scheduled?.email?.id).toBe(before.scheduled?.email?.id)
  await callAs(request, admin, 'admin-cancel-schedule', { kind: 'issue', id: after.id })
})

test.describe('Accessible and without overflow at every width:', () => {
  test('lists', async ({ page, request, loginAs }) => {
    const admin = await loginAs('admin')
    const headers = { Authorization: `Bearer ${admin.session.access_token}` }
    await request.post('/functions/v1/admin-upload-image?name=till.png', { headers, data: pixel })
    // Packs and tools have the list of drops.
    for (const shelf of allLooks
      ? ['drops', 'prompt-packs', 'tools', 'blocks', 'images']
      : ['drops', 'blocks', 'images']) {
      await page.goto(`/admin/content/${shelf}`)
      await expect(page.getByRole('heading', { level: 1, name: shelf.replace('-', ' ') })).toBeVisible()
      await expect(page.locator('[aria-busy=true], .skeleton')).toHaveCount(0)
      await inspect(page, `publishing-${shelf}`)
    }
  })

  test('editor of a drop, writing and previewing', async ({ page, loginAs }) => {
    await loginAs('admin')
    await page.goto('/admin/content/drops/a-week-of-reviews')
    const preview = page.frameLocator('iframe[title=Preview]')
    await expect(preview.getByRole('heading', { level: 1 })).toBeVisible()
    await page.getByText('Sort by hand before you write').first().click()
    await inspect(page, 'publishing-drop')
    await page.setViewportSize({ width: 360, height: 780 })
    await page.getByRole('button', { name: 'Preview', exact: true }).click()
    await checkOverflow(page, 'publishing-drop-preview')
  })

  test('editors of a tool and a pack', async ({ page, loginAs }) => {
    await loginAs('admin')
    for (const path of ['tools/canva', 'prompt-packs/sales'] as const) {
      await page.goto(`/admin/content/${path}`)
      await expect(saved(page)).toBeVisible()
      await inspect(page, `publishing-${path.replace('/', '-')}`)
    }
  })
})

test('An owner changes name, color and icon, previews and saves, is told of a save in another tab, and restores the defaults', async ({
  page,
  browser,
  loginAs,
}) => {
  await loginAs('admin')
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await expect(page).toHaveURL('/admin/settings/publication')
  await write(page, 'Name', 'The Till & Counter')
  const renaming = page.waitForResponse('**/admin-publication-settings')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await renaming
  await expect(page.getByText(/unsaved change/)).toBeHidden()
  await page.getByRole('link', { name: 'Design', exact: true }).first().click()
  await write(page, 'Accent color', '#ffe680')
  await page.getByRole('button', { name: 'Save settings' }).click()
  const problem = page.getByText(/^Text in #ffe680 is hard to read/)
  await expect(problem).toBeVisible()
  const accent = (await problem.textContent())?.match(/#[0-9a-f]{6}(?=\.$)/)?.[0] ?? ''
  await write(page, 'Accent color', accent)
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  const preview = page.frameLocator('iframe[title="Preview"]')
  await expect(preview.getByRole('link', { name: 'The Till & Counter, home' })).toBeVisible()
  await page.getByRole('radio', { name: 'A drop', exact: true }).click()
  await expect(preview.locator('.drop h1')).toBeVisible()
  await page.getByRole('radio', { name: 'Email', exact: true }).click()
  await expect(preview.getByRole('link', { name: 'Open your portal' })).toBeVisible()
  const saving = page.waitForResponse('**/admin-publication-settings')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await saving
  await expect(toast(page, 'Settings saved')).toBeVisible()

  const visitor = await browser.newPage()
  await expect(async () => {
    await visitor.goto('/')
    await expect(visitor).toHaveTitle(/^The Till & Counter:/, { timeout: 500 })
  }).toPass()
  await expect(visitor.getByRole('link', { name: 'The Till & Counter, home' })).toBeVisible()
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(accent.slice(at, at + 2), 16))
  await expect(visitor.locator('main a', { hasText: 'Get Access' }).first()).toHaveCSS(
    'background-color',
    `rgb(${red}, ${green}, ${blue})`,
  )
  await visitor.close()

  // Another tab with the same settings: an icon there, a width here, and corners in both.
  const second = await page.context().newPage()
  await second.goto('/admin/settings/design')
  const icon = second.getByLabel('App icon', { exact: true })
  const uploadIcon = async (size: { width: number; height: number }) => {
    const buffer = await sharp({ create: { ...size, channels: 4, background: '#7a1f3d' } })
      .png()
      .toBuffer()
    const uploaded = second.waitForResponse('**/admin-upload-logo**')
    await icon.setInputFiles({ name: 'icon.png', mimeType: 'image/png', buffer })
    await uploaded
  }
  const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  await icon.setInputFiles({ name: 'icon.png', mimeType: 'image/png', buffer: script })
  await expect(second.getByText('Images can be JPEG, PNG, WebP or GIF')).toBeVisible()
  await uploadIcon({ width: 400, height: 200 })
  await second.getByRole('button', { name: 'Save settings' }).click()
  await expect(second.getByText(/^The app icon must be square.* This image has 400 × 200\.$/)).toBeVisible()
  await uploadIcon({ width: 256, height: 256 })
  await expect(second.getByRole('img', { name: 'The icon' })).toHaveAttribute('src', /#256x256$/)
  await second.getByLabel('Corners').selectOption('Round')
  const first = second.waitForResponse('**/admin-publication-settings')
  await second.getByRole('button', { name: 'Save settings' }).click()
  await first
  await expect(toast(second, 'Settings saved')).toBeVisible()
  await second.close()

  await page.getByLabel('Corners').selectOption('Square')
  await page.getByLabel('Width', { exact: true }).selectOption('Wide')
  await page.getByRole('button', { name: 'Save settings' }).click()
  const conflict = page.getByRole('region', { name: 'Someone else saved these settings while you were editing' })
  await expect(conflict.getByRole('radio')).toHaveCount(2)
  await expect(conflict.getByRole('radio', { name: 'Saved meanwhile: Round' })).toBeChecked()
  await inspectState(page, 'admin-settings-conflict')
  await conflict.getByRole('radio', { name: 'Yours: Square' }).click()
  await expect(conflict.getByRole('radio', { name: 'Yours: Square' })).toBeChecked()
  await conflict.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('2 unsaved changes')).toBeVisible()
  await expect(page.getByRole('img', { name: 'The icon' })).toBeVisible()
  const merged = page.waitForResponse('**/admin-publication-settings')
  await page.getByRole('button', { name: 'Save settings' }).click()
  expect((await (await merged).json()).values).toMatchObject({
    ...{ corners: 'square', width: 'wide' },
    icon: expect.stringMatching(/^\/media\/.*#256x256$/),
  })
  await expect(page.getByText(/unsaved change/)).toBeHidden()

  await page.getByRole('button', { name: 'Restore all defaults' }).click()
  await expect(page.getByLabel('Corners')).toHaveValue('design')
  const restoring = page.waitForResponse('**/admin-publication-settings')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await restoring
  // The history has the new version by then; until it has, another one is the current.
  await expect(page.getByText(/unsaved change/)).toBeHidden()
  await page.getByRole('listitem').filter({ hasText: 'Current' }).locator('summary').click()
  await expect(page.locator('del', { hasText: 'Square' })).toBeVisible()

  await page.goto('/admin/settings/emails')
  await page.getByRole('combobox', { name: 'Email' }).selectOption('Invitation to a team')
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(preview.getByRole('link', { name: 'Join the team' })).toBeVisible()
  await inspect(page, 'admin-settings-emails')
  await page.goto('/admin/settings/pages')
  await expect(page.getByRole('textbox', { name: 'Privacy policy' })).toBeVisible()
  await inspect(page, 'admin-settings-pages')
  await page.goto('/admin/settings/start')
  await expect(page.getByRole('heading', { level: 1, name: 'Getting started' })).toBeVisible()
  await expect(page.locator('[aria-busy=true], .skeleton')).toHaveCount(0)
  await inspect(page, 'admin-settings-start')

  await page.getByRole('button', { name: 'Remove all sample content' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Remove \d+ samples$/ })
    .click()
  await expect(toast(page, 'The sample content is removed')).toBeVisible()
  await page.getByRole('button', { name: 'Put sample content back' }).click()
  await expect(toast(page, 'The sample content is back')).toBeVisible()
  await expect(page.getByText(/^Readers see \d+ samples/)).toBeVisible()
})

test('Several drafts are tagged, deleted and brought back from the list', async ({ page, request, loginAs }) => {
  const admin = await loginAs('admin')
  const titles = [unique('Spare one'), unique('Spare two')]
  for (const title of titles) await newDrop(request, admin, title)
  await page.goto('/admin/content/drops')
  const select = async () => {
    for (const title of titles) await page.getByRole('checkbox', { name: `Select ${title}` }).check()
  }
  await select()
  const bar = page.getByRole('region', { name: 'Selected' })
  await expect(bar.getByRole('status')).toHaveText('2 selected')
  await bar.getByRole('button', { name: 'Change tags' }).click()
  await page.getByRole('dialog').getByRole('checkbox', { name: 'Operations' }).check()
  await checkOverflow(page, 'publishing-tag-drops')
  await page.getByRole('dialog').getByRole('button', { name: 'Add to 2 drops' }).click()
  await expect(toast(page, 'Tags changed for 2 drops')).toBeVisible()
  await expect(bar).toBeHidden()

  await select()
  await bar.getByRole('button', { name: 'Delete 2 drafts' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByRole('checkbox', { name: `Select ${titles[0]}` })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('checkbox', { name: `Select ${titles[0]}` })).toBeVisible()

  await select()
  await bar.getByRole('button', { name: 'Delete 2 drafts' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText(/^Recently deleted/).click()
  await page.getByRole('button', { name: `Restore ${titles[1]}` }).click()
  await expect(page.getByRole('link', { name: titles[1] ?? '' })).toBeVisible()
})
