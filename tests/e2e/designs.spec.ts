import type { APIRequestContext, Page } from '@playwright/test'
import sharp from 'sharp'
import { designs, fontFiles } from '#shared/domain/designs.ts'
import { type Account, callAs } from './support/accounts.ts'
import { axeViolations } from './support/axe.ts'
import { inspect } from './support/inspect.ts'
import { layoutShifts, watchLayoutShifts } from './support/layout.ts'
import { test } from './support/own-server.ts'
import { expect, toast } from './support/test.ts'

test.describe.configure({ timeout: 300_000 })

type Settings = { version: number; values: Record<string, string> }

async function changeSettings(api: APIRequestContext, owner: Account, change: Record<string, string>) {
  const { version } = await callAs<Settings>(api, owner, 'admin-publication-settings')
  await callAs(api, owner, 'admin-publication-settings', { save: { version, values: change } })
}

/** Opens a page once the server has it in the design. The browser never sees the former one, whose fonts it would ask for again. */
async function openFresh(page: Page, path: string, design: string) {
  await expect.poll(async () => (await page.request.get(path)).text()).toContain(`data-look="${design} `)
  await page.goto(path)
}

test('An owner chooses a design by keyboard in four steps, adjusts it, adds a picture, and visitors see it', async ({
  page,
  browser,
  admin,
  login,
}) => {
  await login(await admin())
  await page.goto('/admin')
  let taps = 0
  const tap = async (action: Promise<unknown>) => {
    taps += 1
    await action
  }
  await tap(page.getByRole('link', { name: 'Settings', exact: true }).click())
  await tap(page.getByRole('navigation', { name: 'Settings pages' }).getByRole('link', { name: 'Design' }).click())
  const choice = page.getByRole('radio', { name: /^Counter/ })
  await expect(choice).toBeChecked()
  for (const [index, { look }] of Object.values(designs).entries()) {
    const landing = page.frameLocator('iframe[title="Landing page"]').nth(index)
    await expect(landing.locator('html')).toHaveAttribute('data-look', new RegExp(`^${look.design} `))
    await expect(page.frameLocator('iframe[title="A drop"]').nth(index).locator('.drop h1')).toBeVisible()
    await expect(page.frameLocator('iframe[title="Email"]').nth(index).locator('h1')).toBeVisible()
  }
  // The previews are for looking at: Tab goes from the designs to what can be adjusted.
  await choice.focus()
  await tap(page.keyboard.press('ArrowRight'))
  await expect(page.getByRole('radio', { name: /^Folio/ })).toBeChecked()
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Pick a color')).toBeFocused()
  await tap(page.getByRole('button', { name: 'Save settings' }).click())
  await expect(toast(page, 'Settings saved')).toBeVisible()
  expect(taps).toBe(4)
  await inspect(page, 'admin-settings-design')

  await page.getByLabel('Corners').selectOption('Round')
  const buffer = await sharp({ create: { width: 2400, height: 900, channels: 3, background: '#35524a' } })
    .jpeg()
    .toBuffer()
  const picture = page.getByLabel('Picture', { exact: true })
  await picture.setInputFiles({
    name: 'x.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from('<svg onload="alert(1)"/>'),
  })
  await expect(page.getByText('Images can be JPEG, PNG, WebP or GIF')).toBeVisible()
  await picture.setInputFiles({ name: 'counter.jpg', mimeType: 'image/jpeg', buffer })
  await expect(page.getByRole('img', { name: 'The picture' })).toBeVisible()
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText(/^Describe the picture below/)).toBeVisible()
  await page.getByLabel('What the picture shows').fill('A counter with a bell')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText(/unsaved change/)).toBeHidden()

  const visitor = await browser.newPage({ viewport: { width: 390, height: 844 } })
  await expect(async () => {
    await visitor.goto('/')
    await expect(visitor.getByRole('img', { name: 'A counter with a bell' })).toBeVisible({ timeout: 500 })
  }).toPass()
  await expect(visitor.locator('html')).toHaveAttribute('data-look', /^folio book normal round centered$/)
  expect(await axeViolations(visitor)).toEqual([])
  const image = visitor.getByRole('img', { name: 'A counter with a bell' })
  const [small = ''] = (await image.getAttribute('srcset'))?.split(' ') ?? []
  expect(await image.evaluate((shown: HTMLImageElement) => new URL(shown.currentSrc).pathname)).toBe(small)
  await visitor.close()
})

for (const [design, { look }] of Object.entries(designs)) {
  test(`${design} can be read on phones, with large text and in the dark theme, loads its fonts only, and nothing moves`, async ({
    page,
    request,
    admin,
    login,
  }) => {
    const owner = await admin()
    // A color that the design has to make readable in the dark theme.
    await changeSettings(request, owner, { design, accent: '#1f1f00' })
    await watchLayoutShifts(page)
    const fonts = new Set<string>()
    page.on('request', (asked) => {
      const [name] = /[a-z-]+(?=-normal|\.woff2)/.exec(asked.url()) ?? []
      if (asked.resourceType() === 'font') fonts.add(name ?? '')
    })
    for (const path of ['/', '/drops', '/drops/a-week-of-reviews', '/auth']) {
      await openFresh(page, path, design)
      expect(await layoutShifts(page), path).toEqual([])
      await inspect(page, `design-${design}-${path.split('/').at(-1) || 'landing'}`)
    }
    expect([...fonts].sort()).toEqual([...fontFiles[look.fonts]].sort())
    await login(owner)
    for (const path of ['/portal/weekly-drops', '/portal/weekly-drops/a-week-of-reviews', '/portal/prompt-packs']) {
      await openFresh(page, path, design)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await inspect(page, `design-${design}-portal-${path.split('/').at(-1)}`)
    }
  })
}
