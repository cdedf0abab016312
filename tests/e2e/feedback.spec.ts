import type { APIRequestContext } from '@playwright/test'
import { type Account, callAs, demoEmail, demoPassword, signIn } from './support/accounts.ts'
import { inspect, inspectState } from './support/inspect.ts'
import { test } from './support/own-server.ts'
import { expect } from './support/test.ts'

// No mail server listens there: what counts is that one is set up.
test.use({ repliesMailbox: 'imap://replies:none@127.0.0.1:9/INBOX' })

const phone = { width: 360, height: 780 }
const desktop = { width: 1440, height: 900 }

type Stored = { id: string; version: number; document: object }

/** A published drop with a poll and a closing question. */
async function publishDrop(api: APIRequestContext, admin: Account, title: string) {
  const made = await callAs<Stored>(api, admin, 'admin-create-document', { kind: 'issue', title })
  const section = {
    id: crypto.randomUUID(),
    heading: 'Count the till',
    summary: 'One count, one sheet.',
    focusAreas: ['Finance'],
    aiLevel: 'beginner',
    goals: [],
    franchiseTypes: [],
    minutes: 5,
    body: 'Count the till before the rush.',
  }
  const document = {
    ...made.document,
    ...{ date: '2026-11-20', preview: 'One sheet.', intro: 'A slip is a slip.', sections: [section] },
    question: 'Which count takes you longest?',
    pollQuestion: 'Do you count the till twice?',
    pollAnswers: ['Every night', 'On busy nights', 'Never'],
  }
  const { id, version } = await callAs<Stored>(api, admin, 'admin-save-document', {
    kind: 'issue',
    ...{ id: made.id, version: made.version, document },
  })
  await callAs(api, admin, 'admin-publish-document', { kind: 'issue', id, version })
  const { document: stored } = await callAs<{ document: { slug: string } }>(api, admin, 'admin-read-document', {
    kind: 'issue',
    id,
  })
  return { id, slug: stored.slug }
}

test('A reader votes, answers and says why on a phone, and the publisher reads it beside a subject test', async ({
  page,
  request,
  baseURL,
  login,
}) => {
  test.setTimeout(240_000)
  const admin = await signIn(baseURL ?? '', demoEmail('admin'), demoPassword)
  const title = `The count ${Date.now().toString(36)}`
  const drop = await publishDrop(request, admin, title)
  const reader = await signIn(baseURL ?? '', demoEmail('pro'), demoPassword)
  await login(reader)

  await page.setViewportSize(phone)
  await page.goto(`/portal/weekly-drops/${drop.slug}`)
  await page.getByText('Your question until the next drop').scrollIntoViewIfNeeded()
  const poll = page.getByRole('region', { name: 'Do you count the till twice?' })
  await expect(poll.getByText('You see the results once you vote.')).toBeVisible()
  await poll.getByRole('button', { name: 'On busy nights' }).click()
  await expect(poll.getByRole('button', { name: /^On busy nights/ })).toHaveAttribute('aria-pressed', 'true')
  await expect(poll.getByText('1 vote.')).toBeVisible()
  const box = page.getByRole('region', { name: 'Your answer' })
  await box.getByLabel('Answer the question').fill('The drawer at the window.')
  await box.getByRole('button', { name: 'Send answer' }).click()
  await expect(box.getByText('The drawer at the window.')).toBeVisible()
  const useful = page.getByRole('region', { name: 'Was this drop useful?' })
  await useful.getByRole('button', { name: 'Yes' }).click()
  await useful.getByLabel('What was useful? (optional)').fill('The sheet')
  await useful.getByRole('button', { name: 'Save' }).click()
  await expect(useful.getByRole('button', { name: 'Saved' })).toBeVisible()
  await inspect(page, 'the end of a drop with a poll')
  await page.setViewportSize(desktop)
  await page.reload()
  await page.getByText('Your question until the next drop').scrollIntoViewIfNeeded()
  await expect(poll.getByRole('button', { name: /^On busy nights/ })).toHaveAttribute('aria-pressed', 'true')

  await page.goto('/portal/guides')
  const guide = page.getByRole('region', { name: 'Was this guide useful?' }).first()
  await guide.getByRole('button', { name: 'No' }).click()
  await expect(guide.getByLabel('What was missing? (optional)')).toBeVisible()

  await login(admin)
  await page.goto('/admin/tried')
  const answer = page.getByRole('listitem').filter({ hasText: 'The drawer at the window.' })
  await expect(answer.getByRole('link', { name: reader.email })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Useful or not' })).toContainText(title)
  await inspectState(page, 'what readers say')

  const { id } = await callAs<{ id: string }>(request, admin, 'admin-create-mailing', {
    kind: 'issue',
    issueId: drop.id,
  })
  await page.goto(`/admin/newsletter/${id}`)
  await page.getByLabel('Test other subjects').check()
  await page.getByLabel('Subject 2', { exact: true }).fill(title)
  await expect(page.getByText('The subjects of the test have to differ. Change one of them.')).toBeVisible()
  await page.getByLabel('Subject 2', { exact: true }).fill('Two counts beat one')
  await page.getByRole('button', { name: 'Add a third subject' }).click()
  await page.getByLabel('Subject 3', { exact: true }).fill('The sheet for your till')
  await page.getByLabel('Choose the best after').selectOption('2 hours')
  const needsClicks = page.getByText('A subject test compares clicks.')
  await expect(needsClicks).toBeVisible()
  await page.getByLabel('Choose the best by').selectOption('Replies')
  await expect(needsClicks).toBeHidden()
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
  await inspectState(page, 'a draft with a subject test')
  await page.reload()
  await expect(page.getByLabel('Subject 3', { exact: true })).toHaveValue('The sheet for your till')
  await expect(page.getByLabel('Choose the best by')).toHaveValue('replies')
})
