import { simpleParser } from 'mailparser'
import { describe, expect, test } from 'vitest'
import { checkContrast } from '#server/features/publishing/mailings/checks/check-contrast.ts'
import { createComposer } from '#server/features/publishing/mailings/compose/composer.ts'
import { createSmtpMailer } from '#server/mail/smtp-mailer.ts'
import * as accountEmails from '#server/mail/texts/account-emails.ts'
import * as answerEmails from '#server/mail/texts/answer-emails.ts'
import * as assignmentEmails from '#server/mail/texts/assignment-emails.ts'
import * as billingEmails from '#server/mail/texts/billing-emails.ts'
import * as freeEditionEmails from '#server/mail/texts/free-edition-emails.ts'
import * as giftEmails from '#server/mail/texts/gift-emails.ts'
import * as memberEmails from '#server/mail/texts/member-emails.ts'
import * as priceEmails from '#server/mail/texts/price-emails.ts'
import * as publisherEmails from '#server/mail/texts/publisher-emails.ts'
import * as purchaseEmails from '#server/mail/texts/purchase-emails.ts'
import * as referralEmails from '#server/mail/texts/referral-emails.ts'
import * as securityEmails from '#server/mail/texts/security-emails.ts'
import * as staffEmails from '#server/mail/texts/staff-emails.ts'
import * as teamEmails from '#server/mail/texts/team-emails.ts'
import * as withdrawalEmails from '#server/mail/texts/withdrawal-emails.ts'
import { everyEmail, everyNewsletterEmail, newsletterRecipient } from '#tests/support/every-email.ts'
import { emailConfig, listSender, publicUrl, readableLinks, toMimeMessage } from '#tests/support/newsletter-email.ts'

/** The bytes that the SMTP mailer sends. */
async function sent(name: string): Promise<Buffer> {
  const wire: Buffer[] = []
  const transport = {
    slots: 1,
    send: async ({ message }: { message: Buffer }) => {
      wire.push(message)
      return { kind: 'accepted' as const, response: '250 OK' }
    },
    ready: async () => {},
    transportError: () => null,
    close: async () => {},
  }
  const mailer = createSmtpMailer({
    transport,
    signer: null,
    from: listSender,
  })
  const email = everyEmail[name]
  if (email) await mailer.send(email)
  return Buffer.concat(wire)
}

const composed = (kind: keyof typeof everyNewsletterEmail): Buffer => {
  const options = { content: everyNewsletterEmail[kind], from: listSender, config: emailConfig, links: readableLinks }
  const clock = () => new Date('2026-11-21T10:20:00Z')
  return toMimeMessage(createComposer({ ...options, clock })(newsletterRecipient))
}

const all: [name: string, read: () => Promise<Buffer> | Buffer, isNewsletter: boolean][] = [
  ...Object.keys(everyEmail).map((name): (typeof all)[number] => [name, () => sent(name), false]),
  ...(Object.keys(everyNewsletterEmail) as (keyof typeof everyNewsletterEmail)[]).map((kind): (typeof all)[number] => [
    kind,
    () => composed(kind),
    true,
  ]),
]

test('every email carries the bell, and those of the system say what kind they are', () => {
  for (const { html } of Object.values(everyEmail)) {
    expect(html).toContain(`<img src="${publicUrl}/app-icon-192.png"`)
    expect(html).toMatch(
      /align="right"[^>]+>(?:Account|Answers|Security|Billing|Team|Admin|Welcome|Free edition)<\/td>/,
    )
  }
  expect(composed('issue').toString().replaceAll('=\r\n', '')).toContain('app-icon-192.png')
})

test('the list contains every email that these modules can create', () => {
  const written = [
    accountEmails,
    answerEmails,
    assignmentEmails,
    billingEmails,
    purchaseEmails,
    withdrawalEmails,
    giftEmails,
    referralEmails,
    freeEditionEmails,
    memberEmails,
    priceEmails,
    publisherEmails,
    securityEmails,
    staffEmails,
    teamEmails,
  ].flatMap((module) =>
    Object.keys(module).filter((name) => name.endsWith('Email') && name !== 'billingEmail' && name !== 'optionalEmail'),
  )
  const notices = Object.keys(everyEmail).filter((name) => name.startsWith('notice-')).length
  // A security notice is one function for many events, and some emails are written with more than one set of facts.
  const elsewhere = Object.keys(everyEmail).filter((name) =>
    /^(welcome|(plan|team)-started|staff-(suspended|reactivated|removed|new-owner))/.test(name),
  ).length
  expect(Object.keys(everyEmail).length).toBe(written.length - 1 + notices + elsewhere)
})

/** The longest run of words that both texts have. */
function sharedWords(one: string, other: string): number {
  const [a, b] = [one, other].map(
    (text) =>
      ` ${text
        .toLowerCase()
        .match(/[\w’@.]+/g)
        ?.join(' ')} `,
  ) as [string, string]
  const words = a.trim().split(' ')
  const runs = words.flatMap((_, from) => words.slice(from).map((_word, index) => words.slice(from, from + index + 1)))
  return Math.max(0, ...runs.filter((run) => b.includes(` ${run.join(' ')} `)).map((run) => run.length))
}

const distinct = (links: readonly string[]) => [...new Set(links)].sort()
const linksIn = (html: string) =>
  distinct([...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&#38;', '&')))
/** Those in code, which is indented, aren't links. */
const addressesIn = (text: string) =>
  distinct(text.replaceAll(/^ {4}.*$/gm, '').match(/https?:\/\/[^\s<>]*[^\s<>.,]/gi) ?? [])

/** Emails that aren't newsletters, and that the recipient can turn off. */
const optional = [
  'assigned',
  'assignment-reminder',
  'assignment-summary',
  'deadline-reminder',
  'task-question',
  'replies',
]

describe.each(all)('%s', (name, read, isNewsletter) => {
  test('is a message of two parts with lines that every server accepts', async () => {
    const message = await read()
    const text = message.toString('latin1')
    expect(text).not.toMatch(/(?<!\r)\n|\r(?!\n)|[^\t\r\n -~]/)
    expect(text.split('\r\n').every((line) => line.length <= 998)).toBe(true)
    const head = text.slice(0, text.indexOf('\r\n\r\n'))
    for (const header of ['From', 'To', 'Subject', 'Date', 'Message-ID', 'MIME-Version', 'Content-Type']) {
      expect(head.match(new RegExp(`^${header}: `, 'gim'))).toHaveLength(1)
    }
    expect(text.match(/^Content-Type: text\/plain; charset=utf-8/gim)).toHaveLength(1)
    expect(text.match(/^Content-Type: text\/html; charset=utf-8/gim)).toHaveLength(1)
    // Account, billing and personal emails have no one-click unsubscribe.
    const canBeTurnedOff = (isNewsletter && name !== 'personal') || optional.includes(name)
    expect(/^List-Unsubscribe: <https:/m.test(head)).toBe(canBeTurnedOff)
    expect(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m.test(head.replaceAll('\r', ''))).toBe(canBeTurnedOff)
  })

  test('has a preview text that adds to the subject', async () => {
    const email = await simpleParser(await read())
    const preview = /<div style="display:none[^>]*>(.*?) &#847;/.exec(String(email.html))?.[1] ?? ''
    expect(preview.length).toBeGreaterThan(15)
    expect(sharedWords(email.subject ?? '', preview.replaceAll('&#39;', '’'))).toBeLessThan(4)
  })

  test('reads well: subject, both parts with the same URLs, contrast, and size', async () => {
    const email = await simpleParser(await read(), { skipImageLinks: true })
    const [html, text] = [String(email.html), email.text ?? '']
    expect(email.subject?.length).toBeLessThanOrEqual(60)
    expect(email.from?.value).toEqual([{ address: listSender.address, name: listSender.name }])
    expect(Buffer.byteLength(html)).toBeLessThan(isNewsletter ? 102_000 : 12_000)
    expect(html + text).not.toMatch(/undefined|null|NaN|\[object|\{\{/)
    expect(checkContrast(html)).toEqual([])
    const hrefs = linksIn(html)
    expect(hrefs.filter((href) => !href.startsWith('https://'))).toEqual([])
    expect(addressesIn(text)).toEqual(hrefs)
    if (isNewsletter && name !== 'personal')
      expect(hrefs).toEqual(expect.arrayContaining([`${publicUrl}/account/email`, `${publicUrl}/unsubscribe?token=7`]))
    for (const line of text.split('\n').filter((each) => !each.includes('https://'))) {
      expect(line.length).toBeLessThanOrEqual(76)
    }
  })
})

test.each([
  'confirmation',
  'mailing-not-sent',
  'publishing-failed',
  'notice-password-changed',
  'payment-failed',
  'plan-canceled',
  'plan-started',
  'team-invitation',
  'account-deleted',
  'assigned',
  'assignment-reminder',
  'assignment-summary',
  'deadline-reminder',
  'replies',
  'welcome',
  'welcome-member',
])('the email %s hasn’t changed', async (name) => {
  await expect(everyEmail[name]?.html).toMatchFileSnapshot(`snapshots/${name}.html`)
  await expect(everyEmail[name]?.text).toMatchFileSnapshot(`snapshots/${name}.txt`)
})

test.each(['issue', 'digest', 'news', 'follow-up', 'specimen'] as const)(
  'the newsletter email %s hasn’t changed',
  async (kind) => {
    const email = await simpleParser(composed(kind))
    await expect(String(email.html)).toMatchFileSnapshot(`snapshots/${kind}.html`)
    await expect(email.text).toMatchFileSnapshot(`snapshots/${kind}.txt`)
  },
)
