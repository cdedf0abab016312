import { beforeEach, expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import {
  sandboxInboxRoutes,
  sandboxMessageRoutes,
} from '#server/features/operations/sandbox-inbox/sandbox-inbox.routes.ts'
import { createOutbox, type Outbox } from '#server/mail/outbox.ts'
import { createSmsOutbox } from '#server/sms/sms-gateway.ts'

const config = readConfig({ NODE_ENV: 'test' })
let outbox: Outbox
let now: Date
const request = (path: string) => sandboxInboxRoutes(outbox, config).request(path)
const send = (to: string, subject: string, part: { text?: string; html?: string } = {}) =>
  outbox.send({
    to,
    subject,
    text: part.text ?? 'Text',
    html: part.html ?? '<p>Html</p>',
    headers: { 'X-Kind': 'test' },
  })

beforeEach(() => {
  now = new Date('2026-11-21T10:00:00Z')
  outbox = createOutbox({ from: 'newsletter@example.com', clock: () => now })
})

test('mail.json lists the emails of an address, newest first', async () => {
  await send('a@example.com', 'First')
  await send('b@example.com', 'Other')
  now = new Date('2026-11-21T10:01:00Z')
  await send('a@example.com', 'Second')
  const answer = await request('/sandbox/mail.json?to=A@example.com')
  expect(await answer.json()).toEqual([
    expect.objectContaining({ subject: 'Second', createdAt: '2026-11-21T10:01:00.000Z' }),
    {
      to: 'a@example.com',
      subject: 'First',
      text: 'Text',
      html: '<p>Html</p>',
      headers: { From: 'newsletter@example.com', 'X-Kind': 'test' },
      createdAt: '2026-11-21T10:00:00.000Z',
    },
  ])
  expect(await (await request('/sandbox/mail.json')).json()).toHaveLength(3)
})

test('the list links to each email, shown as text and as HTML in a sandboxed frame', async () => {
  await send('a@example.com', 'Hello', {
    text: 'Line one\nhttps://example.com/x?a=1&b=2',
    html: '<head></head><p>"Hi"</p>',
  })
  const list = await (await request('/sandbox/mail')).text()
  const path = /href="(\/sandbox\/mail\/[^"]+)">Hello/.exec(list)?.[1] ?? ''
  const page = await (await request(path)).text()
  expect(page).toContain('https://example.com/x?a=1&amp;b=2')
  expect(page).toMatch(/<iframe[^>]* sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"/)
  expect(page).toMatch(
    /srcdoc="&lt;head&gt;&lt;meta http-equiv=&quot;Content-Security-Policy&quot; content=&quot;default-src &#39;none&#39;;/,
  )
  expect(page).not.toMatch(/<script|allow-same-origin|allow-top-navigation|allow-forms/)
  for (const landmark of [/<header\b/, /<main id="main"/, /<footer\b/]) expect(page).toMatch(landmark)
})

test('an email loads images only from the publication', async () => {
  const picture = 'http://localhost:3000/media/green.png'
  await send('a@example.com', 'Hello', { html: `<head></head><img src="${picture}" alt="Green">` })
  const path = /href="(\/sandbox\/mail\/[^"]+)">Hello/.exec(await (await request('/sandbox/mail')).text())?.[1] ?? ''
  const page = await (await request(path)).text()
  expect(page).toContain('img-src data: http://localhost:3000/media/ http://localhost:3000/app-icon-192.png&quot;')
})

test('email content is escaped on the page', async () => {
  await send('<b>"x"@example.com', '<script>alert(1)</script>', { text: '</pre><script>alert(2)</script>' })
  const list = await (await request('/sandbox/mail?to=%22%3E%3Cscript%3E')).text()
  const all = await (await request('/sandbox/mail')).text()
  const path = /href="(\/sandbox\/mail\/[^"]+)"/.exec(all)?.[1] ?? ''
  const page = await (await request(path)).text()
  for (const html of [list, all, page]) expect(html).not.toMatch(/<script|<b>/)
})

test('an empty inbox, an unknown email and the stylesheet', async () => {
  expect(await (await request('/sandbox/mail')).text()).toContain('No emails yet')
  expect(await (await request('/sandbox/mail?to=x@example.com')).text()).toContain('No emails to x@example.com yet')
  expect((await request('/sandbox/mail/unknown')).status).toBe(404)
  expect((await request('/sandbox/mail.css')).headers.get('Content-Type')).toMatch(/^text\/css/)
})

test('text messages are listed newest first, as a page and as JSON', async () => {
  const messages = createSmsOutbox(() => now)
  await messages.send({ to: '+15550100', text: '123456 is <your> code' })
  now = new Date('2026-11-21T10:01:00Z')
  await messages.send({ to: '+15550199', text: 'Another' })
  const routes = sandboxMessageRoutes(messages, config)
  const all = await (await routes.request('/sandbox/messages.json')).json()
  expect(all).toEqual([
    { to: '+15550199', text: 'Another', createdAt: '2026-11-21T10:01:00.000Z' },
    { to: '+15550100', text: '123456 is <your> code', createdAt: '2026-11-21T10:00:00.000Z' },
  ])
  for (const to of ['%2B15550100', '15550100', '+1%20555%200100']) {
    expect(await (await routes.request(`/sandbox/messages.json?to=${to}`)).json()).toHaveLength(1)
  }
  const page = await routes.request('/sandbox/messages')
  expect(page.headers.get('Cache-Control')).toBe('no-store')
  const text = await page.text()
  expect(text).toContain('123456 is &lt;your&gt; code')
  for (const landmark of [/<header\b/, /<main id="main"/, /<footer\b/]) expect(text).toMatch(landmark)
})

test('Attack 9: a website that points its own name at this machine cannot read the sandbox inbox', async () => {
  await send('a@example.com', 'Your sign-in link')
  const asked = (host: string) =>
    sandboxInboxRoutes(outbox, { ...config, publicUrl: 'https://letters.example' }).request('/sandbox/mail.json', {
      headers: { host },
    })
  for (const host of ['attacker.example', 'attacker.example:3000', 'localhost.attacker.example', '192.168.1.5:3000']) {
    expect(await (await asked(host)).text(), host).not.toContain('sign-in link')
  }
  for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'LOCALHOST', 'letters.example']) {
    expect((await asked(host)).status, host).toBe(200)
  }
})
