import type { Page } from '@playwright/test'
import { m4a, wav } from '#tests/support/test-audio.ts'
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

  const openDetails = async () => {
    await page.goto(`/admin/content/drops/${issueId}`)
    await page
      .locator('summary')
      .filter({ hasText: /^Details/ })
      .click()
  }

  await test.step('an editor uploads it in three taps, and enters when a section begins', async () => {
    await openDetails()
    const recording = page.getByRole('region', { name: 'Recording' })
    const choose = async (name: string, buffer: Buffer) => {
      const chosen = page.waitForEvent('filechooser')
      await recording.getByRole('button', { name: 'Upload a recording' }).click()
      await (await chosen).setFiles({ name, mimeType: 'audio/mp4', buffer })
    }
    await choose('a-video-of-two-pieces.m4a', m4a(60, { video: true, padding: 1_200_000 }))
    await expect(recording).toContainText('This is a video.')
    await choose('buying.wav', wav(600))
    await expect(recording.getByText('buying.wav · 10:00 · 4.8 MB')).toBeVisible()
    const first = recording.getByRole('textbox').first()
    await first.fill('99:00')
    await recording.getByRole('button', { name: 'Save chapters' }).click()
    await expect(recording).toContainText('Chapters must begin before the recording ends, at 10:00')
    await first.fill('2:00')
    await recording.getByRole('button', { name: 'Save chapters' }).click()
    await expect(page.getByText('Chapters saved')).toBeVisible()
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

  await test.step('deleting it asks first', async () => {
    await openDetails()
    const recording = page.getByRole('region', { name: 'Recording' })
    const remove = async (answer: string) => {
      await recording.getByRole('button', { name: 'Delete the recording' }).click()
      await page.getByRole('dialog', { name: 'Delete this recording?' }).getByRole('button', { name: answer }).click()
    }
    await remove('Keep it')
    await expect(recording).toContainText('buying.wav')
    await remove('Delete')
    await expect(recording.getByRole('button', { name: 'Upload a recording' })).toBeVisible()
  })
})
