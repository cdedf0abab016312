import type { Page } from '@playwright/test'
import { wav } from '#tests/support/test-audio.ts'
import { callAs } from './support/accounts.ts'
import { inspect } from './support/inspect.ts'
import { expect, test } from './support/test.ts'

const slug = 'local-ad-reimbursement'
const issueId = slug

/** Counts the taps that a way takes. */
function countTaps(page: Page) {
  let taps = 0
  return {
    tap: async (name: RegExp | string, role: 'button' | 'link' = 'button') => {
      taps += 1
      await page.getByRole(role, { name }).first().click()
    },
    get taps() {
      return taps
    },
  }
}

test('A recording is uploaded, played, continued on another device, and taken along in a podcast app', async ({
  page,
  browser,
  request,
  baseURL,
  login,
  demoSession,
  signUpSubscriber,
}) => {
  test.setTimeout(120_000)
  const [admin, member] = await Promise.all([demoSession('admin'), signUpSubscriber()])
  await login(admin)

  await test.step('an editor uploads it in three taps, and enters when a section begins', async () => {
    await page.goto(`/admin/content/drops/${issueId}`)
    await page
      .locator('summary')
      .filter({ hasText: /^Details/ })
      .click()
    const chosen = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Upload a recording' }).click()
    await (await chosen).setFiles({ name: 'buying.wav', mimeType: 'audio/wav', buffer: wav(600) })
    const recording = page.getByRole('region', { name: 'Recording' })
    await expect(recording.getByText('buying.wav · 10:00 · 4.8 MB')).toBeVisible()
    const first = recording.getByRole('textbox').first()
    await first.fill('99:00')
    await recording.getByRole('button', { name: 'Save chapters' }).click()
    await expect(recording).toContainText('A section begins before the end, 10:00')
    await first.fill('2:00')
    await recording.getByRole('button', { name: 'Save chapters' }).click()
    await expect(page.getByText('Saved', { exact: true }).last()).toBeVisible()
    await inspect(page, 'recording-editor')
  })

  const open = async () => {
    const context = await browser.newContext({ baseURL })
    await context.addInitScript(
      ([key, session]) => {
        if (location.protocol.startsWith('http') && !localStorage.getItem(key)) localStorage.setItem(key, session)
      },
      ['sb-localhost-auth-token', JSON.stringify(member.session)] as const,
    )
    return context
  }
  const position = (on: Page) =>
    on.getByRole('slider', { name: 'Position' }).evaluate((slider) => Number((slider as HTMLInputElement).value))

  await test.step('a member hears it with one tap, and moves by keyboard', async () => {
    const phone = await open()
    const drop = await phone.newPage()
    await drop.goto(`/portal/weekly-drops/${slug}`)
    const way = countTaps(drop)
    await way.tap('Listen · 10 min')
    const bar = drop.getByRole('region', { name: 'Listen' })
    await expect(bar.getByRole('button', { name: 'Pause' })).toBeVisible()
    expect(way.taps).toBe(1)
    await expect.poll(() => position(drop)).toBeGreaterThan(0)
    await bar.getByRole('button', { name: 'Ahead 30 seconds' }).press('Enter')
    await expect.poll(() => position(drop)).toBeGreaterThan(29)
    await bar.getByRole('button', { name: 'Back 15 seconds' }).press('Enter')
    const saved = drop.waitForResponse('**/functions/v1/save-listening')
    await bar.getByRole('combobox', { name: 'Chapter' }).selectOption({ index: 1 })
    await saved
    await expect.poll(() => position(drop)).toBeGreaterThan(119)
    await bar.getByRole('button', { name: 'Pause' }).click()
    await expect(bar.getByRole('slider', { name: 'Position' })).toHaveAttribute('aria-valuetext', /^2:0\d of 10:00$/)
    await inspect(drop, 'recording-player')
    await phone.close()
  })

  await test.step('another device goes on there, and leads to the podcast in two taps', async () => {
    const laptop = await open()
    const drop = await laptop.newPage()
    await drop.goto(`/portal/weekly-drops/${slug}`)
    await drop.getByRole('button', { name: 'Listen · 10 min' }).click()
    await expect.poll(() => position(drop)).toBeGreaterThan(119)
    const way = countTaps(drop)
    await way.tap('In your podcast app', 'link')
    const podcast = drop.getByRole('region', { name: 'Your podcast' })
    const link = podcast.getByRole('link', { name: 'Pocket Casts' })
    await expect(link).toHaveAttribute('href', /^pktc:\/\/subscribe\/localhost.*\.rss$/)
    // The second tap would leave the browser.
    expect(way.taps).toBe(1)
    const address = await podcast.getByRole('textbox', { name: 'Address of your podcast' }).inputValue()
    expect(await (await request.get(address)).text()).toContain(`${slug}.wav`)
    await inspect(drop, 'podcast')
    await podcast.getByRole('button', { name: 'Replace the address' }).click()
    await expect(podcast.getByRole('textbox')).not.toHaveValue(address)
    expect((await request.get(address)).status()).toBe(404)
    await laptop.close()
  })

  // Other tests read drops without recordings.
  await callAs(request, admin, 'admin-change-recording', { issueId, starts: null })
})
