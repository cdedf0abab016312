import type { APIRequestContext, Page } from '@playwright/test'
import type { PromptCategory } from '#shared/contracts/library/library.ts'
import type { ReadTry, TriedItem } from '#shared/contracts/reader/tries.ts'
import { type Account, callAs } from './support/accounts.ts'
import { inspect, inspectState } from './support/inspect.ts'
import { isUncovered } from './support/layout.ts'
import { expect, test } from './support/test.ts'

const phone = { width: 360, height: 780 }
const desktop = { width: 1440, height: 900 }
const section: TriedItem = { kind: 'section', id: 'a-week-of-reviews--sort-by-hand' }

const answerOf = async (request: APIRequestContext, account: Account, item: TriedItem) =>
  (await callAs<ReadTry>(request, account, 'read-try', item)).answer

const formOf = (page: Page, title: string) => page.getByRole('region', { name: `Did it work: ${title}` })

/** Pages of the document as PDF, by their objects. */
async function countPages(page: Page, format: 'Letter' | 'A4') {
  const pdf = (await page.pdf({ format })).toString('latin1')
  return pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0
}

test('A reader says on a phone what worked, also offline, and sees on a desktop what the year added up to', async ({
  page,
  context,
  request,
  signUpSubscriber,
  login,
}) => {
  test.setTimeout(240_000)
  const account = await signUpSubscriber('pro_monthly')
  await login(account)
  const [pack] = await callAs<{ categories: PromptCategory[] }>(request, account, 'prompt-packs').then(
    ({ categories }) => categories,
  )
  const [prompt] = pack?.prompts ?? []
  if (!pack || !prompt) throw new Error('a pack with prompts')
  const item: TriedItem = { kind: 'prompt', id: prompt.id }

  // By thumb: open, answer, minutes, note.
  await page.setViewportSize(phone)
  await page.goto(`/portal/prompt-packs#${prompt.id}`)
  const tried = page.getByRole('button', { name: new RegExp(`: ${prompt.title}$`) }).filter({ hasText: /Tried|orked/ })
  await tried.click()
  const form = formOf(page, prompt.title)
  await expect.poll(() => isUncovered(form)).toBe(true)
  await form.getByRole('button', { name: 'Worked', exact: true }).click()
  await expect(tried).toContainText('Worked')
  await form.getByRole('button', { name: '30 min' }).click()
  await form.getByRole('button', { name: 'Add a private note' }).click()
  await expect(form.getByLabel('Private note', { exact: true })).toBeFocused()
  await form.getByLabel('Private note', { exact: true }).fill('Cut the second paragraph. <b>Then it fit.</b>')
  await form.getByLabel(/^Share this note/).check()
  await form.getByRole('button', { name: 'Save note' }).click()
  await expect(form.getByRole('button', { name: 'Note saved' })).toBeFocused()
  const answer = {
    outcome: 'worked',
    minutesPerWeek: 30,
    note: 'Cut the second paragraph. <b>Then it fit.</b>',
    shared: true,
  }
  await expect.poll(() => answerOf(request, account, item)).toEqual(answer)
  await inspectState(page, 'tried-form')

  // Without a connection the change waits and is sent once.
  await page.setViewportSize(phone)
  await context.setOffline(true)
  await form.getByRole('button', { name: 'Worked with changes' }).click()
  await expect(tried).toContainText('Worked with changes')
  expect(await answerOf(request, account, item)).toEqual(answer)
  await context.setOffline(false)
  await expect.poll(() => answerOf(request, account, item)).toEqual({ ...answer, outcome: 'worked-with-changes' })

  // The link of an email changes nothing until the reader clicks.
  await page.goto(`/portal/tried?kind=section&id=${section.id}&outcome=did-not-work`)
  const linked = page.getByRole('region', { name: /^Did it work: Sort by hand/ })
  await expect(linked.getByText('Tap “Didn’t work” to save your answer')).toBeVisible()
  expect(await answerOf(request, account, section)).toBeNull()
  await page.setViewportSize(desktop)
  await inspect(page, 'tried-page')
  // By keyboard alone.
  await linked.getByRole('button', { name: 'Worked', exact: true }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await answerOf(request, account, section))?.outcome).toBe('did-not-work')
  await linked.getByRole('button', { name: 'Remove my answer' }).press('Enter')
  await expect.poll(() => answerOf(request, account, section)).toBeNull()
  await page.goto('/portal/tried?kind=prompt&id=nothing')
  await expect(page.getByRole('heading', { name: 'We couldn’t find that item' })).toBeVisible()

  // The year: figures with their sources, on one printed page however much was tried.
  const year = new Date().getFullYear()
  await page.goto('/portal/value')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Your ${year}`)
  await expect(page.getByText(`From your invoice paid in ${year}, less refunds.`)).toBeVisible()
  await page.getByLabel('Hourly wage in dollars').fill('22.50')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Time saved at $22.50 an hour. You entered the wage.')).toBeVisible()
  await inspect(page, 'value')
  for (const { id } of pack.prompts) {
    const input = { kind: 'prompt', id, at: new Date().toISOString(), outcome: 'worked', minutesPerWeek: 15 }
    await callAs(request, account, 'record-try', { ...input, note: '', shared: false })
  }
  await page.reload()
  await expect(page.getByRole('heading', { name: 'What you tried' })).toBeVisible()
  expect(await countPages(page, 'Letter')).toBe(1)
  expect(await countPages(page, 'A4')).toBe(1)
})

test('The publisher sees which notes readers share, and what works once there are five answers', async ({
  page,
  request,
  signUpSubscriber,
  loginAs,
}) => {
  const reader = await signUpSubscriber()
  const note = `Shared on purpose ${reader.email}`
  const input = {
    ...section,
    at: new Date().toISOString(),
    outcome: 'worked',
    minutesPerWeek: null,
    note,
    shared: true,
  }
  await callAs(request, reader, 'record-try', input)
  await loginAs('admin')
  await page.goto('/admin/tried')
  await expect(page.getByRole('list', { name: 'Shared notes' })).toContainText(note)
  await inspect(page, 'admin-tried')
  await callAs(request, reader, 'record-try', { ...input, at: new Date(Date.now() + 1).toISOString(), shared: false })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Shared notes' })).toBeVisible()
  await expect(page.getByText(note)).toHaveCount(0)
})
