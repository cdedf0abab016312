import { sql } from 'drizzle-orm'
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmailLinks } from '#server/features/publishing/email-preferences/email-links.ts'
import { createComposer } from '#server/features/publishing/mailings/compose/composer.ts'
import { type MailingContent, type MailingKind, mailingKinds } from '#shared/contracts/publishing/newsletter.ts'
import { unknownReader } from '#shared/domain/reader.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { listSender } from '#tests/support/newsletter-email.ts'
import { deliver } from '../email-preferences/support.ts'

let server: TestApp
beforeAll(async () => {
  server = await createTestApp()
})
afterAll(() => server.close())

const contentOf = (kind: MailingKind): MailingContent => ({
  kind,
  subject: 'Three replies that win back a guest',
  preheader: 'Worked out with four owners',
  title: 'Three replies',
  date: '2026-03-02',
  worth: '',
  intro: 'Good morning {{first_name|there}}. See [the tool](https://example.com/tool).',
  sections: [
    {
      heading: 'Answer the late one',
      summary: 'A reply in two lines.',
      body: 'Read [more](https://example.com/more).',
      focusAreas: [],
      aiLevel: null,
      goals: [],
      franchiseTypes: [],
      minutes: 4,
      partOfLead: false,
      openToEveryone: false,
      kind: null,
      examples: {},
      path: '/portal/weekly-drops/three-replies',
    },
  ],
  closing: '',
  question: '',
  path: '/portal/weekly-drops/three-replies',
})

/** All our tables except rate limit counters, as one text. */
async function everything() {
  const { rows } = (await server.database.db.execute(sql`
    select string_agg(format('%I.%I', schemaname, tablename), ',' order by 1) as names from pg_tables
    where schemaname in ('public', 'auth') and tablename <> 'rate_limits'`)) as unknown as { rows: { names: string }[] }
  const contents: Record<string, unknown> = {}
  for (const name of rows[0]?.names.split(',') ?? []) {
    contents[name] = await server.database.db.execute(
      sql`select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as content from ${sql.raw(name)} t`,
    )
  }
  return JSON.stringify(contents)
}

test.each(mailingKinds)(
  'A scanner that follows every link of an email of kind %s, with GET and HEAD, changes nothing',
  async (kind) => {
    const user = await buildUser(server)
    const { deliveryId } = await deliver(server, user, { kind })
    const { publicUrl } = server.deps.config
    const compose = createComposer({
      content: contentOf(kind),
      from: listSender,
      config: server.deps.config,
      links: createEmailLinks(server.deps, { kind }),
    })
    const to = { deliveryId, userId: user.id, email: user.email, name: 'Mia', reader: unknownReader }
    const { headers, body } = compose(to)
    const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const email = await simpleParser(Buffer.concat([Buffer.from(`${head}\r\n`), body]))
    const text = `${head.replace(/\r\n[ \t]+/g, ' ')} ${email.html} ${email.text}`
    const links = new Set([...text.matchAll(/https?:\/\/[^\s"'<>\])]+/g)].map(([url]) => url.replaceAll('&amp;', '&')))
    const ours = [...links].filter((url) => url.startsWith(publicUrl))
    const isList = kind !== 'personal'
    expect(ours.some((url) => url.includes('/unsubscribe/one-click/'))).toBe(isList)
    expect(ours.some((url) => url.includes('/unsubscribe?token='))).toBe(isList)
    const before = await everything()
    for (const url of ours) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await server.request(url.slice(publicUrl.length) || '/', { method })
        expect(answer.status, `${method} ${url}`).toBeLessThan(500)
        const next = answer.headers.get('location')
        if (next) await server.request(next.replace(publicUrl, ''), { method })
      }
    }
    expect(await everything()).toBe(before)
  },
)
