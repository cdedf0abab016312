import type { APIRequestContext, Page } from '@playwright/test'
import type { Mailing } from '#shared/contracts/publishing/mailings.ts'
import type { SendingSettings } from '#shared/contracts/publishing/sending-settings.ts'
import { type Account, callAs, demoEmail, demoPassword, savePreferences, signIn, signUp } from './support/accounts.ts'
import { emailsTo, waitForEmail } from './support/emails.ts'
import { checkOverflow, inspect } from './support/inspect.ts'
import { requireStepUpOnce } from './support/step-up.ts'
import { expect, test, toast, toasts } from './support/test.ts'

/*
 * Each journey sends to a segment of its own readers: what goes to everyone would reach the accounts of journeys that
 * run beside it.
 */

// A publisher in another time zone than the publication, which must not be used anywhere.
test.use({ timezoneId: 'Asia/Tokyo' })

const issueId = 'ten-minutes-in-your-close'
let made = 0

/** A fresh session: sending requires a recent sign-in, and the shared session may be too old. */
const signInAdmin = (baseURL: string) => signIn(baseURL, demoEmail('admin'), demoPassword)

async function addReader(api: APIRequestContext, admin: Account, reader: Account, focusArea: 'Finance' | 'Operations') {
  await savePreferences(api, reader, { focusAreas: [focusArea] })
  const until = new Date(Date.now() + 30 * 24 * 60 * 60 * 1000).toISOString()
  await callAs(api, admin, 'admin-grant-access', { userId: reader.session.user.id, until, note: null })
}

async function makeSegment(api: APIRequestContext, admin: Account, readers: readonly Account[]) {
  const name = `Test kitchen ${process.pid}-${Date.now().toString(36)}-${++made}`
  const add = readers.map(({ email }) => email)
  const { id } = await callAs<{ id: string }>(api, admin, 'admin-save-segment', { name, add, remove: [] })
  return { id, name }
}

const createMailing = (api: APIRequestContext, admin: Account) =>
  callAs<{ id: string }>(api, admin, 'admin-create-mailing', { kind: 'issue', issueId })

type Stored = { id: string; version: number; document: object }

/** Publishes a drop for one test. */
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
  const text = { date: '2026-11-20', preview: 'One sheet.', tags: ['Finance'], intro: 'A slip is a slip.', closing: '' }
  const document = { ...made.document, ...text, sections: [section] }
  await saveAndPublish(api, admin, made, document)
  return { id: made.id }
}

async function publishText(api: APIRequestContext, admin: Account, id: string, body: string) {
  const stored = await callAs<Stored & { document: { sections: object[] } }>(api, admin, 'admin-read-document', {
    kind: 'issue',
    id,
  })
  const sections = stored.document.sections.map((each) => ({ ...each, body }))
  await saveAndPublish(api, admin, stored, { ...stored.document, sections })
}

async function saveAndPublish(api: APIRequestContext, admin: Account, { id, version }: Stored, document: object) {
  const stored = await callAs<Stored>(api, admin, 'admin-save-document', { kind: 'issue', id, version, document })
  await callAs(api, admin, 'admin-publish-document', { kind: 'issue', id, version: stored.version })
}

/** Sets or removes the hourly limit of one receiving domain. */
async function limitDomain(api: APIRequestContext, admin: Account, domain: string, limit: number | null) {
  const settings = await callAs<SendingSettings>(api, admin, 'admin-sending-settings')
  const { [domain]: _, ...others } = settings.limits.perDomainHour
  const perDomainHour = limit === null ? others : { ...others, [domain]: limit }
  await callAs(api, admin, 'admin-sending-settings', {
    save: { ...settings, limits: { ...settings.limits, perDomainHour } },
  })
}

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const saved = (page: Page) => expect(section(page, 'Content').getByRole('status')).toHaveText('Saved')
/** The sections of an email, in its order. */
const sectionsOf = (html: string) =>
  [...html.matchAll(/<h2[^>]*>(.*?)<\/h2>/gs)]
    .map(([, heading = '']) => heading.replace('<br>', '\n').replace(/<[^>]+>/g, ''))
    .filter((heading) => heading !== 'What it’s worth')
const emailFrame = (page: Page) => page.frameLocator('iframe[title="Email preview"]')

async function previewAs(page: Page, { email }: Account) {
  const preview = section(page, 'Preview')
  await preview.getByLabel('Preview as a member').fill(email)
  await expect(preview.locator(`datalist option[value="${email}"]`)).toBeAttached()
  await preview.getByLabel('Preview as a member').blur()
  await expect(preview.getByText('Sections in this member’s order.')).toBeVisible()
  await expect(preview.locator('[aria-busy=true]')).toHaveCount(0)
}

test('The publisher previews a drop as two members, tests it, sends it, and sees who received it', async ({
  page,
  request,
  baseURL,
  signUpConfirmed,
  login,
}) => {
  const admin = await signInAdmin(baseURL ?? '')
  const [finance, operations] = [await signUpConfirmed(), await signUpConfirmed()]
  await addReader(request, admin, finance, 'Finance')
  await addReader(request, admin, operations, 'Operations')
  const segment = await makeSegment(request, admin, [finance, operations])
  const { id } = await createMailing(request, admin)
  await login(admin)
  await page.goto(`/admin/newsletter/${id}`)

  const subject = `Ten minutes, ${segment.name}`
  await page.getByLabel('Subject', { exact: true }).fill(subject)
  await section(page, 'Audience').getByRole('checkbox', { name: segment.name }).check()
  await expect(section(page, 'Audience').getByText('2 readers would receive it now')).toBeVisible()
  await saved(page)
  await expect(section(page, 'Section order').getByText(/^All 2 readers get all \d+ sections/)).toBeVisible()

  // From the attribute: the frame shows it a moment later.
  const preview = page.locator('iframe[title="Email preview"]')
  const firstHeading = async () => sectionsOf((await preview.getAttribute('srcdoc')) ?? '')[0] ?? ''
  await previewAs(page, finance)
  const forFinance = await firstHeading()
  await section(page, 'Preview').getByLabel('Preview as a member').fill(admin.email)
  await expect(
    section(page, 'Preview').getByText(
      'This member won’t receive it (not in the audience). This is how it would look.',
    ),
  ).toBeVisible()
  await previewAs(page, operations)
  const forOperations = await firstHeading()
  expect(forFinance).not.toBe('')
  expect(forOperations).not.toBe(forFinance)

  await section(page, 'Preview').getByLabel('Send a test email to').fill('desk@example.com')
  await section(page, 'Preview').getByRole('button', { name: 'Send test email' }).click()
  await expect(page.getByText('Test email sent to desk@example.com.')).toBeVisible()
  expect(await waitForEmail(request, 'desk@example.com', /^\[Test\] Ten minutes/)).toBeTruthy()
  await checkOverflow(page, 'newsletter-draft')

  await section(page, 'Send').getByRole('button', { name: 'Send now' }).click()
  const question = page.getByRole('dialog', { name: 'Send this mailing now?' })
  await expect(question.getByText('Sends to 2 readers, starting now.')).toBeVisible()
  await requireStepUpOnce(page, { path: '/functions/v1/admin-send-mailing' })
  await question.getByRole('button', { name: 'Send now' }).click()
  const identity = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await identity.getByRole('button', { name: 'Close' }).click()
  // Dismissed by mistake: the question is still there, and no choice is lost.
  await expect(question).toBeVisible()
  await question.getByRole('button', { name: 'Send now' }).click()

  await expect(section(page, 'Progress').getByText('2 of 2 readers processed')).toBeVisible()
  await expect(section(page, 'Progress').getByText('Sent', { exact: true })).toBeVisible()
  for (const [reader, heading] of [
    [finance, forFinance],
    [operations, forOperations],
  ] as const) {
    const message = await waitForEmail(request, reader.email, new RegExp(subject))
    expect(sectionsOf(message.html)[0]).toContain(heading.slice(0, 12))
    expect((await emailsTo(request, reader.email)).filter((each) => each.subject === subject)).toHaveLength(1)
  }

  await page.getByRole('link', { name: 'Accepted: 2, show the list' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Accepted')
  await expect(page.getByRole('link', { name: finance.email })).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as CSV' }).click()
  expect((await download).suggestedFilename()).toMatch(/^deliveries-.*\.csv$/)

  const { html } = await waitForEmail(request, operations.email, new RegExp(subject))
  const [, token] = /\/unsubscribe\?token=([^"&]+)/.exec(html) ?? []
  const left = await request.post(`/unsubscribe/one-click/${token}`, { form: { 'List-Unsubscribe': 'One-Click' } })
  expect(left.status()).toBe(200)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('link', { name: 'Back to mailing' }).click()
  const report = section(page, 'Report')
  await expect(report.getByRole('link', { name: 'Delivered: 2, show the list' })).toBeVisible()
  await report.getByRole('link', { name: 'Unsubscribed: 1, show the list' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unsubscribed')
  await expect(page.getByRole('link', { name: operations.email })).toBeVisible()
  await expect(page.getByRole('link', { name: finance.email })).toBeHidden()
})

test.describe('Settings that all mailings share:', () => {
  // Side by side they would overwrite each other’s.
  test.describe.configure({ mode: 'default' })

  test('Reply-To and the postal address are set once, and opens are counted only if the settings allow it', async ({
    page,
    request,
    baseURL,
    login,
  }) => {
    const admin = await signInAdmin(baseURL ?? '')
    const { id } = await createMailing(request, admin)
    await login(admin)
    await page.goto(`/admin/newsletter/${id}`)
    await expect(section(page, 'Audience').getByText('Opens and clicks aren’t counted.')).toBeVisible()
    await section(page, 'Audience').getByRole('link', { name: 'Change this in newsletter settings' }).click()

    await expect(section(page, 'Sender').getByText('the sandbox prints this sample address')).toBeVisible()
    await checkOverflow(page, 'newsletter-settings')
    await page.getByLabel('Reply-To').fill('editor@example.com')
    await page.getByLabel('Postal address').fill('Main St')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await expect(page.getByText('Enter a complete postal address')).toBeVisible()
    await page.getByLabel('Postal address').fill('Front Counter LLC\n12 Main Street\nDayton, OH 45402')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await expect(toast(page, 'Settings saved')).toBeVisible()
    await expect(section(page, 'Sender').getByText('sample address')).toHaveCount(0)

    await page.goto(`/admin/newsletter/${id}`)
    await expect(emailFrame(page).getByText('Dayton, OH 45402')).toBeVisible()
    await callAs(request, admin, 'admin-delete-mailing', { id })
  })

  test('A mailing that waits for a limit says which one, and continues when the limit is raised', async ({
    page,
    request,
    baseURL,
    login,
  }) => {
    const admin = await signInAdmin(baseURL ?? '')
    // A separate domain, so that other tests aren't slowed down.
    const domain = `slow-${process.pid}-${Date.now().toString(36)}.test`
    const readers = [await signUp(baseURL ?? '', `a@${domain}`), await signUp(baseURL ?? '', `b@${domain}`)]
    for (const reader of readers) await addReader(request, admin, reader, 'Finance')
    const segment = await makeSegment(request, admin, readers)
    await limitDomain(request, admin, domain, 1)
    const { id } = await createMailing(request, admin)
    await login(admin)
    await page.goto(`/admin/newsletter/${id}`)
    await section(page, 'Audience').getByRole('checkbox', { name: segment.name }).check()
    await saved(page)
    await section(page, 'Send').getByRole('button', { name: 'Send now' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click()
    const progress = section(page, 'Progress')
    await expect(progress.getByText(`Waiting: the hourly limit for ${domain} has been reached.`)).toBeVisible()
    await expect(progress.getByText(/^Finishes around today, .* E[SD]T|^Finishes around .* E[SD]T/)).toBeVisible()
    await checkOverflow(page, 'newsletter-waiting')
    await limitDomain(request, admin, domain, 10)
    await expect(progress.getByText('2 of 2 readers processed')).toBeVisible()
    await limitDomain(request, admin, domain, null)
  })
})

test('A mailing waits for its time in the publication’s time zone, and can be unscheduled', async ({
  page,
  request,
  baseURL,
  signUpConfirmed,
  login,
}) => {
  const admin = await signInAdmin(baseURL ?? '')
  const reader = await signUpConfirmed()
  await addReader(request, admin, reader, 'Finance')
  const segment = await makeSegment(request, admin, [reader])
  const { id } = await createMailing(request, admin)
  await login(admin)
  await page.goto(`/admin/newsletter/${id}`)
  await section(page, 'Audience').getByRole('checkbox', { name: segment.name }).check()
  await saved(page)
  const dayFromNow = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  const schedule = async (day: string) => {
    await section(page, 'Send').getByLabel('Day').fill(day)
    await section(page, 'Send').getByLabel('Time').fill('07:00')
    await section(page, 'Send').getByRole('button', { name: 'Schedule' }).click()
  }
  await schedule(dayFromNow(-3))
  await expect(
    section(page, 'Send')
      .getByRole('alert')
      .getByText(/^That time has passed/),
  ).toBeVisible()
  await schedule(dayFromNow(500))
  await expect(
    section(page, 'Send')
      .getByRole('alert')
      .getByText(/^That’s more than a year away/),
  ).toBeVisible()
  const day = dayFromNow(100)
  await schedule(day)
  const inWords = new Date(day).toLocaleDateString('en-US', { dateStyle: 'full', timeZone: 'UTC' })
  await expect(section(page, 'Send').getByText(/^Time zone: America\/New York \(E[SD]T\)/)).toBeVisible()
  await expect(page.getByRole('dialog').getByText(new RegExp(`${inWords} at 7:00\\sAM E[SD]T`))).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Schedule' }).click()
  await expect(section(page, 'Progress').getByText('Scheduled')).toBeVisible()
  const shortDay = new Date(day).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
  const goesOut = new RegExp(`Sends ${shortDay}, 7:00\\sAM E[SD]T`)
  await expect(section(page, 'Progress').getByText(goesOut)).toBeVisible()
  await page.getByRole('link', { name: 'All mailings' }).click()
  await expect(page.getByRole('heading', { name: 'Ready to send' })).toBeVisible()
  await expect(page.getByText(goesOut).first()).toBeVisible()
  await page.goBack()
  await page.getByRole('button', { name: 'Unschedule' }).click()
  await expect(section(page, 'Send')).toBeVisible()
  await page.getByRole('button', { name: 'Delete draft' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete draft' }).click()
  await expect(page).toHaveURL('/admin/newsletter')
})

test('Errors found by the checks are listed before sending, and must be acknowledged', async ({
  page,
  request,
  baseURL,
  signUpConfirmed,
  login,
}) => {
  const admin = await signInAdmin(baseURL ?? '')
  const reader = await signUpConfirmed()
  await addReader(request, admin, reader, 'Finance')
  const segment = await makeSegment(request, admin, [reader])
  const { id } = await callAs<{ id: string }>(request, admin, 'admin-create-mailing', { kind: 'news' })
  await login(admin)
  await page.goto(`/admin/newsletter/${id}`)
  await page.getByLabel('Subject', { exact: true }).fill(`News of ${segment.name}`)
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('News')
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('TODO: what is new')
  await section(page, 'Audience').getByRole('checkbox', { name: segment.name }).check()
  await saved(page)
  await section(page, 'Checks').getByRole('button', { name: 'Text, line 1' }).click()
  await expect(page.getByRole('textbox', { name: 'Text', exact: true })).toBeFocused()
  await section(page, 'Send').getByRole('button', { name: 'Send now' }).click()
  const question = page.getByRole('dialog', { name: 'Send this mailing now?' })
  await expect(question.getByRole('listitem')).toHaveText(['Text, line 1: Replace “TODO”'])
  await expect(question.getByRole('button', { name: 'Send now' })).toHaveCount(0)
  await checkOverflow(page, 'newsletter-send-anyway')
  await requireStepUpOnce(page, { path: '/functions/v1/admin-send-mailing' })
  await question.getByRole('button', { name: 'Send anyway' }).click()
  const identity = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await identity.getByLabel('Password', { exact: true }).fill(demoPassword)
  await identity.getByRole('button', { name: 'Confirm' }).click()
  await expect(section(page, 'Progress').getByText('1 of 1 reader processed')).toBeVisible()
})

test('A scheduled drop keeps its text until it is updated, and unpublishing it lists the mailing first', async ({
  page,
  request,
  baseURL,
  login,
}) => {
  const admin = await signInAdmin(baseURL ?? '')
  const title = `Frozen ${process.pid}-${Date.now().toString(36)}`
  const drop = await publishDrop(request, admin, title)
  const { id } = await callAs<{ id: string }>(request, admin, 'admin-create-mailing', {
    kind: 'issue',
    issueId: drop.id,
  })
  const at = new Date(Date.now() + 100 * 24 * 60 * 60 * 1000).toISOString()
  await callAs(request, admin, 'admin-send-mailing', { id, version: 1, at })
  await publishText(request, admin, drop.id, 'Count the till after the rush.')
  await login(admin)
  await page.goto(`/admin/newsletter/${id}`)
  const text = section(page, 'Text')
  await expect(text.getByText('There’s a newer version.')).toBeVisible()
  await expect(emailFrame(page).getByText('Count the till before the rush.')).toBeVisible()
  await checkOverflow(page, 'newsletter-scheduled')
  await text.getByRole('button', { name: 'Update to latest' }).click()
  await expect(emailFrame(page).getByText('Count the till after the rush.')).toBeVisible()
  await expect(text.getByRole('button', { name: 'Update to latest' })).toHaveCount(0)

  await page.goto(`/admin/content/drops/${drop.id}`)
  await page.getByRole('button', { name: 'Unpublish' }).click()
  const question = page.getByRole('dialog')
  await expect(
    question.getByText('This mailing is scheduled and won’t be sent while the drop is unpublished.'),
  ).toBeVisible()
  await expect(question.getByRole('listitem')).toHaveText(new RegExp(`^${title}, .* E[SD]T$`))
  await checkOverflow(page, 'newsletter-unpublish')
  await question.getByRole('button', { name: 'Unpublish now' }).click()
  await expect(toasts(page).getByText('Unpublished')).toBeVisible()
  await page.goto(`/admin/newsletter/${id}`)
  await expect(text.getByText(/^This drop is unpublished\. The mailing won’t be sent/)).toBeVisible()
  await expect(emailFrame(page).getByText('Count the till after the rush.')).toBeVisible()
  await callAs(request, admin, 'admin-mailing-action', { id, action: 'stop' })
})

test('A mailing that isn’t sent at its time is reported by email and on the dashboard, with what to do', async ({
  page,
  request,
  baseURL,
  login,
}) => {
  const admin = await signInAdmin(baseURL ?? '')
  const segment = await makeSegment(request, admin, [])
  const { id } = await createMailing(request, admin)
  const mailing = await callAs<Mailing>(request, admin, 'admin-mailing', { id })
  const title = `Held ${segment.name}`
  const audience = { ...mailing.audience, segmentIds: [segment.id] }
  const { version } = await callAs<Mailing>(request, admin, 'admin-save-mailing', {
    ...mailing,
    subject: title,
    audience,
  })
  const at = new Date(Date.now() + 10_000).toISOString()
  await callAs(request, admin, 'admin-send-mailing', { id, version, at })
  const alert = await waitForEmail(request, admin.email, new RegExp(`“${title}” wasn’t sent`), 60_000)
  expect(alert.text).toMatch(/E[SD]T/)
  await login(admin)
  await page.goto('/admin')
  const dashboard = page.getByRole('region', { name: 'Needs attention' })
  await expect(dashboard.getByText('No one in its audience would have received it.').first()).toBeVisible()
  await checkOverflow(page, 'dashboard-not-sent')
  await dashboard.getByRole('link', { name: title }).click()
  const note = section(page, 'This mailing wasn’t sent')
  await expect(note.getByText('Check the audience, then send or schedule the mailing again.')).toBeVisible()
  await checkOverflow(page, 'newsletter-not-sent')
  await note.getByRole('button', { name: 'Dismiss' }).click()
  await expect(note).toHaveCount(0)
  await callAs(request, admin, 'admin-delete-mailing', { id })
})

test('Text typed just before leaving the page is saved, also during a slow save', async ({
  page,
  request,
  baseURL,
  login,
}) => {
  const admin = await signInAdmin(baseURL ?? '')
  const { id } = await callAs<{ id: string }>(request, admin, 'admin-create-mailing', { kind: 'news' })
  await login(admin)
  await page.goto(`/admin/newsletter/${id}`)
  const firstSave = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  await page.route(
    '**/admin-save-mailing',
    async (route) => {
      firstSave.resolve()
      await release.promise
      await route.continue()
    },
    { times: 1 },
  )
  const subject = `Typed in two steps ${process.pid}-${Date.now().toString(36)}`
  await page.getByLabel('Subject', { exact: true }).fill('The first words')
  await firstSave.promise
  await page.getByLabel('Subject', { exact: true }).fill(subject)
  await page.getByRole('link', { name: 'All mailings' }).click()
  release.resolve()
  await expect(page.getByRole('link', { name: subject })).toBeVisible()
  // Also without another save under way.
  await page.getByRole('link', { name: subject }).click()
  await page.getByLabel('Subject', { exact: true }).fill(`${subject}, in a hurry`)
  await page.getByRole('link', { name: 'All mailings' }).click()
  await expect(page.getByRole('link', { name: `${subject}, in a hurry` })).toBeVisible()
  await callAs(request, admin, 'admin-delete-mailing', { id })
})

test('Two tabs with one draft don’t overwrite each other', async ({ page, context, request, baseURL, login }) => {
  const admin = await signInAdmin(baseURL ?? '')
  const { id } = await createMailing(request, admin)
  await login(admin)
  const other = await context.newPage()
  for (const window of [page, other]) {
    await window.goto(`/admin/newsletter/${id}`)
    await saved(window)
  }
  await page.getByLabel('Subject', { exact: true }).fill('The first one')
  await saved(page)
  await other.getByLabel('Subject', { exact: true }).fill('The second one')
  await expect(
    other.getByText('Someone else changed this mailing. Reload the page to see the latest version.'),
  ).toBeVisible()
  await other.reload()
  await expect(other.getByLabel('Subject', { exact: true })).toHaveValue('The first one')
  await callAs(request, admin, 'admin-delete-mailing', { id })
})

test.describe('Accessible and without overflow at every width:', () => {
  test.setTimeout(150_000)

  const whenQuiet = async (page: Page) => {
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    await expect(toasts(page)).toHaveCount(0)
  }

  test('the pages of the newsletter', async ({ page, request, baseURL, signUpConfirmed, login }) => {
    const admin = await signInAdmin(baseURL ?? '')
    const reader = await signUpConfirmed()
    await addReader(request, admin, reader, 'Finance')
    const segment = await makeSegment(request, admin, [reader])
    const { id } = await createMailing(request, admin)
    await login(admin)
    await page.goto('/admin/newsletter')
    await expect(page.getByRole('heading', { name: 'Mailings' })).toBeVisible()
    await whenQuiet(page)
    await inspect(page, 'newsletter-mailings')

    await page.goto(`/admin/newsletter/${id}`)
    await expect(emailFrame(page).getByRole('heading', { level: 1 })).toBeVisible()
    await expect(section(page, 'Checks').getByRole('button', { name: 'Check again' })).toBeVisible()
    await section(page, 'Audience').getByRole('checkbox', { name: segment.name }).check()
    await saved(page)
    await whenQuiet(page)
    await inspect(page, 'newsletter-mailing')

    await section(page, 'Send').getByRole('button', { name: 'Send now' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click()
    await expect(section(page, 'Progress').getByText('1 of 1 reader processed')).toBeVisible()
    await expect(section(page, 'Report').getByText('Hour by hour')).toBeVisible()
    await inspect(page, 'newsletter-report')
    await page.goto(`/admin/newsletter/${id}/deliveries?status=submitted`)
    await expect(page.getByRole('link', { name: reader.email })).toBeVisible()
    await checkOverflow(page, 'newsletter-deliveries')
  })

  test('segments and settings of the newsletter', async ({ page, baseURL, login }) => {
    await login(await signInAdmin(baseURL ?? ''))
    await page.goto('/admin/newsletter/segments')
    await page.getByRole('button', { name: 'New segment' }).click()
    await page.getByLabel('Name').fill('Owners who test with us')
    await whenQuiet(page)
    await inspect(page, 'newsletter-segments')
    await page.goto('/admin/newsletter/settings')
    await expect(page.getByRole('button', { name: 'Save settings' })).toBeVisible()
    // An empty number isn't replaced by a default.
    await page.getByLabel('Start date', { exact: true }).fill('2030-01-01')
    await page.getByLabel('Emails on the first day').fill('')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await expect(page.getByText('Enter all three numbers, or clear the start date')).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('Start date', { exact: true })).toHaveValue('')
    await whenQuiet(page)
    await inspect(page, 'newsletter-settings')
  })
})
