import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { callAs } from './support/accounts.ts'
import { axeViolations } from './support/axe.ts'
import { confirmEmail, waitForEmail } from './support/emails.ts'
import { inspect } from './support/inspect.ts'
import { expect, test } from './support/test.ts'

test.describe.configure({ timeout: 120_000 })

const stores = ['Harbor Street', 'Oak Avenue', 'Mill Road']
const title = 'Closing handover note'

/** Counts taps and clicks of a page. */
function countTaps(page: Page) {
  let taps = 0
  return {
    tap: async (name: string, role: 'button' | 'textbox' = 'button') => {
      taps += 1
      await page.getByRole(role, { name }).first().click()
    },
    count: () => taps,
    add: () => {
      taps += 1
    },
  }
}

test('An owner gives a closing checklist to three stores; a crew reads it in Spanish and checks it off with a photo', async ({
  page,
  request,
  browser,
  baseURL,
  login,
  signUpSubscriber,
}) => {
  const owner = await signUpSubscriber('team_monthly')
  await confirmEmail(request, owner.email)
  for (const name of stores)
    await callAs(request, owner, 'save-location', { id: crypto.randomUUID(), name: { from: '', to: name } })
  await page.setViewportSize({ width: 390, height: 844 })
  await login(owner)

  let url = ''
  await test.step('the owner makes three links in at most four taps', async () => {
    await page.goto('/portal/prompt-packs#operations-closing-handover')
    const { tap, count } = countTaps(page)
    await tap(`More: ${title}`)
    await tap(`Task link: ${title}`)
    await inspect(page, 'task-link-dialog')
    await page.setViewportSize({ width: 390, height: 844 })
    await tap('Make 3 links')
    const dialog = page.getByRole('dialog', { name: 'Your task links' })
    await expect(dialog.getByRole('listitem')).toHaveCount(3)
    expect(count()).toBeLessThanOrEqual(4)
    expect(await axeViolations(page)).toEqual([])
    await page.screenshot({ path: 'test-results/task-sheets-390.png' })
    const { team } = await callAs<{ team: { assignments: { assignmentId: string; toName: string }[] } }>(
      request,
      owner,
      'team-assignments',
    )
    const assignmentIds = team.assignments.map(({ assignmentId }) => assignmentId)
    const { sheets } = await callAs<{ sheets: { url: string; toName: string }[] }>(request, owner, 'task-sheets', {
      assignmentIds,
    })
    expect(sheets.map(({ toName }) => toName).toSorted()).toEqual(stores.toSorted())
    url = sheets.find(({ toName }) => toName === 'Harbor Street')?.url ?? ''
  })

  await test.step('prints a sheet for each store', async () => {
    await page.evaluate(() => {
      window.print = () => {}
    })
    await page.getByRole('button', { name: 'Print 3 sheets' }).click()
    const pdf = (await page.pdf({ format: 'Letter' })).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page\b/g)?.length).toBe(3)
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  })

  const phone = await browser.newContext({ baseURL, locale: 'es-MX', viewport: { width: 360, height: 740 } })
  const task = await phone.newPage()
  await test.step('the crew reads the task in Spanish, or in English', async () => {
    expect((await task.goto(url))?.status()).toBe(200)
    await expect(task.getByRole('heading', { level: 1 })).toHaveText('Nota de entrega al cerrar')
    await inspect(task, 'task-es')
    await task.setViewportSize({ width: 390, height: 844 })
    await task.getByRole('link', { name: 'English' }).click()
    await expect(task.getByRole('heading', { level: 1 })).toHaveText(title)
    await inspect(task, 'task-en')
    await task.getByRole('link', { name: 'Español' }).click()
    await expect(task.getByRole('heading', { level: 1 })).toHaveText('Nota de entrega al cerrar')
  })

  await page.keyboard.press('Escape')
  await page.goto('/portal/assignments')
  const row = page.getByRole('listitem').filter({ hasText: 'For Harbor Street' })
  await expect(row).toContainText('Link, works until')

  await test.step('and checks it off with a photo in two taps', async () => {
    await task.setViewportSize({ width: 390, height: 844 })
    const { tap, count, add } = countTaps(task)
    await tap('Tu nombre', 'textbox')
    await task.keyboard.type('María')
    const [chooser] = await Promise.all([
      task.waitForEvent('filechooser'),
      task.getByLabel('Tomar foto y marcar como hecho').click(),
    ])
    add()
    const photo = await sharp({ create: { width: 4_000, height: 3_000, channels: 3, background: '#7a5c3e' } })
      .jpeg({ quality: 100 })
      .toBuffer()
    const sent = task.waitForRequest((each) => each.url().includes('/t/answer'))
    await chooser.setFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: photo })
    expect(Number((await (await sent).allHeaders())['content-length']), 'the photo is shrunk first').toBeLessThan(
      200_000,
    )
    await expect(task.getByRole('status').first()).toContainText('Hecho por María')
    expect(count()).toBeLessThanOrEqual(2)
    await inspect(task, 'task-done-es')
  })

  await test.step('the owner sees it within seconds, without reloading', async () => {
    await expect(row).toContainText('María checked it off', { timeout: 15_000 })
    await expect(row).toContainText('Opened by María')
    await expect(page.getByRole('checkbox', { name: `Done: ${title}`, checked: true })).toHaveCount(1)
    await inspect(page, 'assignments-task-links')
    await page.getByRole('button', { name: 'Show photo from María' }).click()
    const picture = page.getByRole('img', { name: 'Sent by María' })
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1_280)
    await page.keyboard.press('Escape')
  })

  await test.step('a question reaches the owner, and an ended link says only that', async () => {
    await task.getByText('Hacer una pregunta').click()
    const form = task.locator('.ask')
    await form.getByRole('textbox', { name: 'Tu nombre' }).fill('María')
    await form.getByRole('textbox', { name: 'Tu pregunta' }).fill('¿Qué caja se cuenta primero?')
    await form.getByRole('button', { name: 'Enviar pregunta' }).click()
    await expect(task.getByText('Tu pregunta va en camino.')).toBeVisible()
    const email = await waitForEmail(request, owner.email, /^Question about Closing handover note$/)
    expect(email.text).toContain('¿Qué caja se cuenta primero?')
    const ended = page.waitForResponse('**/end-task-links')
    await row.getByRole('button', { name: `End link to ${title}` }).click()
    await ended
    expect((await task.goto(url))?.status()).toBe(404)
    await expect(task.getByRole('heading', { level: 1 })).toHaveText('Este enlace no funciona')
    expect(await axeViolations(task)).toEqual([])
  })
  await phone.close()
})

test('Without its script, a task in the owner’s words can be checked off, and a file that isn’t a photo is refused', async ({
  request,
  browser,
  baseURL,
  signUpSubscriber,
}) => {
  const owner = await signUpSubscriber('team_monthly')
  const [locationId, assignmentId] = [crypto.randomUUID(), crypto.randomUUID()]
  await callAs(request, owner, 'save-location', { id: locationId, name: { from: '', to: 'Oak Avenue' } })
  await callAs(request, owner, 'assign-to-several', {
    item: null,
    title: 'Boil out the fryer',
    to: [{ assignmentId, to: { locationId }, text: '1. Drain the oil.\n2. Boil for 20 minutes.' }],
    dueOn: null,
    note: 'Gloves are in the office.',
  })
  const validUntil = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  const link = { assignmentIds: [assignmentId], crew: 'Closing crew', language: null, validUntil }
  const { sheets } = await callAs<{ sheets: { url: string }[] }>(request, owner, 'make-task-links', link)

  const visitor = await browser.newContext({ baseURL, javaScriptEnabled: false, viewport: { width: 360, height: 740 } })
  const task = await visitor.newPage()
  await task.goto(sheets[0]?.url ?? '')
  await expect(task.getByText('2. Boil for 20 minutes.')).toBeVisible()
  await task.locator('.check-off').getByRole('textbox', { name: 'Your first name' }).fill('Luis')
  await task
    .getByLabel('Photo (optional)')
    .setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no photo') })
  await task.getByRole('button', { name: 'Check off' }).click()
  await expect(task.getByRole('alert')).toContainText('We can’t read that file as a photo.')
  await task.screenshot({ path: 'test-results/task-problem-360.png', fullPage: true })
  await task.locator('.check-off').getByRole('textbox', { name: 'Your first name' }).fill('Luis')
  await task.getByRole('button', { name: 'Check off' }).click()
  await expect(task.getByRole('status')).toContainText('Checked off by Luis')
  await visitor.close()
})
