import { simpleParser } from 'mailparser'
import { describe, expect, test } from 'vitest'
import { unknownReader } from '#shared/domain/reader.ts'
import { maxSubjectLength } from '#shared/domain/subject-test.ts'
import {
  buildContent,
  buildRecipient,
  buildSection,
  emailConfig,
  listSender,
  publicUrl,
  readableLinks,
  toMimeMessage,
} from '#tests/support/newsletter-email.ts'
import { type ComposerOptions, createComposer, type Recipient } from './composer.ts'
import { freeEditionOf } from './free-edition.ts'

const clock = () => new Date('2026-11-21T10:20:00Z')
const compose = (content: Parameters<typeof buildContent>[0] = {}, options: Partial<ComposerOptions> = {}) =>
  createComposer({
    content: buildContent(content),
    from: listSender,
    config: emailConfig,
    links: readableLinks,
    clock,
    ...options,
  })

const read = async (content: Parameters<typeof buildContent>[0], to: Partial<Recipient> = {}) => {
  const message = await simpleParser(toMimeMessage(compose(content)(buildRecipient(to))))
  return { ...message, html: String(message.html), text: message.text ?? '' }
}
const headersOf = (content: Parameters<typeof buildContent>[0] = {}, to: Partial<Recipient> = {}) =>
  Object.fromEntries(compose(content)(buildRecipient(to)).headers)

describe('Headers', () => {
  test('name sender, reader, list and both ways to unsubscribe', () => {
    expect(headersOf()).toEqual({
      From: '"Front Counter" <newsletter@frontcounter.example>',
      'Reply-To': '"Front Counter" <editor@frontcounter.example>',
      To: '"Ana Silva" <ana@example.com>',
      Subject: 'A subject',
      Date: 'Sat, 21 Nov 2026 10:20:00 +0000',
      'Message-ID': '<delivery.7@frontcounter.example>',
      'List-Unsubscribe': `<${publicUrl}/unsubscribe/one-click/7>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'List-Id': 'Front Counter drops <drops.frontcounter.example>',
      'Feedback-ID': expect.stringMatching(/^[0-9a-f]{10}:issue:drops:frontcounter\.example$/),
      'MIME-Version': '1.0',
      'Content-Type': expect.stringMatching(/^multipart\/alternative;\r\n boundary="=_[0-9a-f]{24}"$/),
    })
  })

  test('can’t be injected through a name or a subject', async () => {
    const evil = 'Ana\r\nBcc: all@example.com\r\n\r\n<b>body</b>\u2028X: y'
    const { headers } = compose({ subject: `{{first_name}} ${evil}`, title: evil })(buildRecipient({ name: evil }))
    for (const [name, value] of headers) expect(`${name}: ${value}`).toMatch(/^[!-~]+: (?:[\t -~]|\r\n[ \t])*$/)
    const message = await read({ subject: `${evil} for you` }, { name: evil })
    expect(message.bcc).toBeUndefined()
    expect(message.headers.get('x')).toBeUndefined()
    expect(message.subject).toBe('Ana Bcc: all@example.com <b>body</b> X: y for you')
  })

  test('contain the whole subject, however long it may be', async () => {
    const subject = 'Is « déjà vu » good for lunch? '.repeat(20).slice(0, 399).padEnd(maxSubjectLength, '!')
    expect((await read({ subject })).subject).toBe(subject)
    expect((await read({ subject: `${'x '.repeat(199)}ab` })).subject).toHaveLength(maxSubjectLength)
  })

  test.each(['a b@example.com', 'a@example.com>\r\nBcc: b@example.com', 'a@b.example, c@d.example', '"a"@example.com'])(
    'are not written for an invalid address: %s',
    (email) => {
      expect(() => compose()(buildRecipient({ email }))).toThrow('Address is not safe for a header')
    },
  )

  test.each([
    'Zoë Müller-Lüdenscheidt',
    '山田 太郎',
    'Anne "The Till" O\\Neill',
    'Иван Иванович Петров-Водкин, владелец двух кофеен на набережной',
    '=?utf-8?Q?nothing?=',
    '🍔 Burger',
    '',
  ])('contain the name %j, which decodes to what was written', async (name) => {
    const message = await read({ subject: `News for ${name || 'all'}` }, { name })
    const [to] = message.to && !Array.isArray(message.to) ? message.to.value : []
    expect(to).toEqual({ name, address: 'ana@example.com' })
    expect(message.subject).toBe(`News for ${name || 'all'}`)
    for (const [header, value] of Object.entries(headersOf({ subject: `News for ${name}` }, { name }))) {
      for (const line of `${header}: ${value}`.split('\r\n')) expect(line.length).toBeLessThanOrEqual(78)
    }
  })
})

describe('Merge fields', () => {
  test('show what is known about the reader, or else their fallback', async () => {
    const intro =
      'Hi {{first_name|there}} of {{ franchise_type | your shop }}: {{focus_areas|everything}}, {{ai_level}}.'
    const reader = {
      ...unknownReader,
      focusAreas: ['Sales' as const, 'Finance' as const],
      aiLevel: 'beginner' as const,
    }
    expect((await read({ intro }, { reader })).text).toContain('Hi Ana of your shop: Sales and Finance, beginner.')
    expect((await read({ intro }, { name: null })).text).toContain('Hi there of your shop: everything, .')
  })

  test('also work in subject, preheader, title, headings, bodies and closing', async () => {
    const hello = 'Hello {{first_name|you}}'
    const section = buildSection({ heading: hello, summary: hello, body: `**${hello}**` })
    const texts = { subject: hello, preheader: hello, title: hello, closing: hello, sections: [section] }
    const message = await read({ ...texts, intro: hello })
    expect(message.subject).toBe('Hello Ana')
    expect(message.html.match(/Hello Ana/g)).toHaveLength(8)
    expect(message.html + message.text).not.toMatch(/\{\{|Hello you/)
  })

  test('are inserted as text, never as markup, in both parts', async () => {
    const name = '<img/src=x> *& [a](https://b.example)'
    const message = await read({ intro: 'Hi {{name|<b>}}.' }, { name })
    expect(message.html).not.toContain('<img/src')
    expect(message.html).toContain('Hi &#60;img/src=x&#62; *&#38; [a](https://b.example).')
    expect(message.text).toContain(`Hi ${name}.`)
    expect((await read({ intro: 'Hi {{name|<b>}}.' }, { name: null })).html).toContain('Hi &#60;b&#62;.')
  })

  test('that are unknown stay as written, and no text can imitate a merge field', async () => {
    const message = await read({ intro: 'A {{coupon|code}} and \ue0000\ue001 [x](https://a.example/{{email}}).' })
    expect(message.text).toContain('A {{coupon|code}} and 0')
    expect(message.html).not.toContain('ana%40')
  })
})

describe('The email', () => {
  test('differs between two readers with the same order only in their own links and names', () => {
    const composed = compose()
    const of = (to: Partial<Recipient>) => composed(buildRecipient(to)).body.toString()
    const replaced = of({ deliveryId: '8', name: 'Bob' }).replaceAll('token=3D8', 'token=3D7').replaceAll('Bob', 'Ana')
    expect(replaced).toBe(of({}))
  })

  test('uses absolute URLs only, and loads nothing from other hosts', async () => {
    const picture = `![The till](/media/${'a'.repeat(64)}.png#1200x800)`
    const section = buildSection({
      body: `${picture}\n\n![x](https://elsewhere.example/y.png)`,
      path: '/portal/weekly-drops/a#1',
    })
    const { html } = await read({ sections: [section] })
    const addresses = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address)
    expect(addresses).toHaveLength(6)
    for (const address of addresses) expect(address).toMatch(/^https:\/\/frontcounter\.example\//)
    expect(html).toMatch(
      /<img src="https:\/\/frontcounter\.example\/media\/a{64}\.png" alt="The till" width="560" style/,
    )
  })

  test('explains once per part why the first section comes first, and explains nothing to a reader without preferences', async () => {
    const sections = [buildSection({ focusAreas: ['Sales'] }), buildSection({ focusAreas: ['Finance'] })]
    const reader = { ...unknownReader, focusAreas: ['Finance' as const] }
    const message = await read({ sections }, { reader })
    for (const part of [message.html, message.text])
      expect(part.match(/Up front because you chose Finance/g)).toHaveLength(1)
    const kept = await read({ sections: sections.toReversed() }, { reader })
    for (const part of [kept.html, kept.text]) expect(part.match(/Up front because you chose Finance/g)).toHaveLength(1)
    const plain = await read({ sections })
    expect(plain.html + plain.text).not.toContain('Up front')
  })

  test('shows summaries and links in a digest, and neither date nor portal in news', async () => {
    const sections = [buildSection({ body: 'The whole text.', path: '/portal/weekly-drops/a' })]
    const digest = await read({ kind: 'digest', sections })
    expect(digest.text).not.toContain('The whole text.')
    expect(digest.text).toContain(`${publicUrl}/portal/weekly-drops/a`)
    expect(digest.html).toMatch(/<h2[^>]*><a class="pine" href="[^"]*\/portal\/weekly-drops\/a"/)
    const news = await read({ kind: 'news', date: null, path: null, sections: [] })
    expect(news.html).toContain('Unsubscribe from product news')
    expect(news.html).not.toMatch(/portal\/|2026/)
    expect(headersOf({ kind: 'news' })['List-Id']).toContain('<news.')
  })

  test('tracks clicks and opens only for readers whose links are tracked', async () => {
    const links = {
      ...readableLinks,
      click: ({ allowsTracking }: { allowsTracking?: boolean }, url: string) =>
        allowsTracking ? `${publicUrl}/click?to=${encodeURIComponent(url)}` : url,
      open: ({ allowsTracking }: { allowsTracking?: boolean }) => (allowsTracking ? `${publicUrl}/open.gif` : null),
    }
    const body = 'See [this](https://a.example/?b=1&c=2).'
    const composed = compose({ sections: [buildSection({ body })] }, { links })
    const htmlOf = async (allowsTracking: boolean) =>
      String((await simpleParser(toMimeMessage(composed(buildRecipient({ allowsTracking }))))).html)
    const allowsTracking = await htmlOf(true)
    expect(allowsTracking).toContain(`href="${publicUrl}/click?to=https%3A%2F%2Fa.example%2F%3Fb%3D1%26c%3D2"`)
    expect(allowsTracking).toContain(`<img src="${publicUrl}/open.gif"`)
    const free = await htmlOf(false)
    expect(free).toContain('href="https://a.example/?b=1&#38;c=2"')
    expect(free).not.toMatch(/click|open\.gif/)
  })

  test('wraps plain text at 76 columns where words allow it', async () => {
    const table = '| Task | Minutes | What you decide about it |\n| --- | --- | --- |\n| Wipe | 4 | Yes, at 8:30 |'
    const wide = table.replace(
      'Yes, at 8:30',
      'Only when the manager has looked at the list and the closing crew agrees',
    )
    const quote = `> ${'A prompt to paste. '.repeat(12)}`
    const body = [table, wide, quote, '1. One\n2. Two\n   - a\n   - b', '```\ncode  = 1\n```', '### A heading'].join(
      '\n\n',
    )
    const { text } = await read({ intro: 'word '.repeat(60), sections: [buildSection({ body })] })
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(76)
    expect(text).toContain('Task  Minutes  What you decide about it\n----  -------  ------------------------\nWipe  4')
    expect(text).toContain('1. One\n2. Two\n   - a\n   - b\n')
    expect(text).toContain('    code  = 1')
    expect(text).not.toContain('<')
  })
})

describe('An issue', () => {
  const issue = {
    worth: '2 nights × $4 = $8',
    intro: 'Hello.',
    sections: [
      buildSection({
        heading: 'Count',
        body: 'See [the check](#check) and [the policy](/portal/guides#ai-use-policy).',
        examples: { food: 'Count buns.', fitness: 'Count towels.', salon: 'Count capes.' },
        path: '/portal/weekly-drops/a-drop#count',
      }),
    ],
    closing: 'Until then.',
    question: 'What did you count?',
  }

  test('shows its number and date, and the signed words of the editor before the opening', async () => {
    const note = { editorNote: 'We tried it\nfor a week.', editor: 'Rosa Keller' }
    const { html, text } = await read({ ...issue, ...note, number: 12 })
    expect(html).toMatch(/No\.&nbsp;12<\/span> &nbsp;·&nbsp; Nov&nbsp;17,&nbsp;2026/)
    expect(text).toMatch(/^Front Counter · No\. 12 · Nov 17, 2026\n/)
    expect(html).toMatch(/We tried it<br>for a week\.[\s\S]*Rosa Keller, editor[\s\S]*Hello\./)
    expect(text).toContain('We tried it\nfor a week.\n-- Rosa Keller, editor\n\nHello.')
    const unsigned = await read({ ...issue, editorNote: 'We tried it.' })
    expect(unsigned.text).toContain('-- The editors of Front Counter')
    expect(unsigned.html).not.toContain('No.&nbsp;')
  })

  test('links each answer of its poll to a page for this reader, in both parts, and not in the free edition', async () => {
    const poll = { issueId: 'drop-1', question: 'Do you count <twice>?', answers: ['Yes & no', '{{first_name|x}}'] }
    const { html, text } = await read({ ...issue, poll })
    expect(html).toMatch(/Do you count &(lt|#60);twice&(gt|#62);\?/)
    expect(html).toMatch(/href="[^"]*\/poll\/drop-1\/7\?answer=Yes%20%26%20no"[^>]*>Yes &(amp|#38); no</)
    // A vote has to match the answer's text, so it has no merge fields.
    expect(html).toContain('>{{first_name|x}}<')
    expect(text).toContain(`Yes & no:\n${publicUrl}/poll/drop-1/7?answer=Yes%20%26%20no`)
    expect(freeEditionOf(buildContent({ ...issue, poll }))).not.toHaveProperty('poll')
  })

  test('numbers its steps, says what they add up to, and names what stands alone', async () => {
    const step = (heading: string) => buildSection({ heading, partOfLead: true, minutes: 20 })
    const sections = [buildSection({ heading: 'Ask', kind: 'question', minutes: 5 }), step('Time'), step('Sort')]
    const { html, text } = await read({ sections })
    expect(html).toMatch(/Question for your franchisor<\/p>\s*<h2[^>]*>Ask</)
    expect(html).toMatch(
      /Step by step<\/td><td[^>]*>2 steps, 40 min in all[\s\S]*>1<\/span><br>Time<[\s\S]*>2<\/span><br>Sort</,
    )
    expect(html.match(/Step by step/g)).toHaveLength(1)
    expect(text).toContain(
      'IN THIS DROP\n- Question for your franchisor: Ask (5 min)\n1. Time (20 min)\n2. Sort (20 min)\n',
    )
    expect(text).toContain('Step by step: 2 steps, 40 min in all\n\n1. TIME\n20 min\n')
  })

  test('names at its top what comes first for the reader, if there is a reason', async () => {
    const sections = ['Sales', 'Finance', 'Operations'].map((area) =>
      buildSection({ heading: `About ${area}`, focusAreas: [area as 'Sales'] }),
    )
    const personal = await read({ sections }, { reader: { ...unknownReader, focusAreas: ['Finance'] } })
    expect(personal.html).toMatch(/<\/h1>\s*<p class="reason"[^>]*>.*First for you: <span[^>]*>About Finance</)
    expect(personal.text).toContain('First for you: About Finance\n')
    const plain = await read({ sections })
    expect(plain.html + plain.text).not.toContain('First for you')
  })

  test('says after its opening what it is worth, and ends with its question', async () => {
    const { html, text } = await read(issue)
    for (const part of [html, text]) {
      const places = ['Hello.', '2 nights × $4 = $8', 'Until then.', 'What did you count?'].map((words) =>
        part.indexOf(words),
      )
      expect(places.every((place) => place >= 0)).toBe(true)
      expect(places).toEqual(places.toSorted((a, b) => a - b))
    }
  })

  test.each([
    ['Food & Beverage', 'Count buns.'],
    ['Health & Fitness', 'Count towels.'],
    ['Services', 'Count capes.'],
    ['Retail', null],
    [null, null],
  ] as const)('has the example of the reader’s trade: %s gets %j', async (franchiseType, expected) => {
    const { html, text } = await read(issue, { reader: { ...unknownReader, franchiseType } })
    const examples = ['Count buns.', 'Count towels.', 'Count capes.']
    for (const part of [html, text]) {
      expect(examples.filter((example) => part.includes(example))).toEqual(expected ? [expected] : [])
    }
  })

  test('links to its sections and to the portal with the site’s address', async () => {
    const { html, text } = await read(issue)
    for (const part of [html, text]) {
      expect(part).toContain(`${publicUrl}/portal/weekly-drops/a-drop#check`)
      expect(part).toContain(`${publicUrl}/portal/guides#ai-use-policy`)
    }
  })
})

describe('Best answers', () => {
  const bestAnswers = {
    ...{ title: 'A week of reviews', path: '/talk/a-week-of-reviews', isForEveryone: false },
    answers: [{ name: 'Ben <b>', words: 'We count {{first_name|there}} at https://evil.example & twice.' }],
  }

  test('are at the end, as plain text without merge fields and links, with one link to all of them', async () => {
    const { html, text } = await read({ bestAnswers })
    expect(html).toContain('Ben &#60;b&#62;')
    expect(html).toContain('We count {{first_name|there}} at https: //evil. example &#38; twice.')
    expect(text).toContain('Ben <b>: We count {{first_name|there}} at https: //evil. example')
    for (const part of [html, text]) {
      expect(part).toContain(`${publicUrl}/talk/a-week-of-reviews`)
    }
  })

  test('are in the free edition only if its readers can read them', () => {
    expect(freeEditionOf(buildContent({ bestAnswers }))).not.toHaveProperty('bestAnswers')
    const open = { ...bestAnswers, isForEveryone: true }
    expect(freeEditionOf(buildContent({ bestAnswers: open }))).toMatchObject({ bestAnswers: open })
  })
})

describe('Changed items', () => {
  const item = (key: string, note = '') => ({ key, title: `Title <${key}>`, path: `/portal/tools#${key}`, note })
  const changes = [item('a', 'Prices & terms moved.'), item('b')]

  test('are listed for the readers who kept them, in both versions, with a link', async () => {
    const { html, text } = await read({ changes }, { changes: ['a'] })
    expect(html).toContain('Changes to what you saved, copied, or downloaded')
    expect(html).toContain(`href="${publicUrl}/portal/tools#a"`)
    expect(html).toContain('Title &#60;a&#62;</span><br>Prices &#38; terms moved.')
    expect(text).toContain('CHANGES TO WHAT YOU SAVED, COPIED, OR DOWNLOADED')
    expect(text).toContain('- Title <a>: Prices & terms moved.')
    expect(html + text).not.toContain('Title <b>')
    expect(html).not.toContain('tools#b')
  })

  test('are in the same order for every reader', async () => {
    const { text } = await read({ changes }, { changes: ['b', 'a'] })
    expect(text.indexOf('Title <a>')).toBeLessThan(text.indexOf('Title <b>'))
  })

  test('leave the email of all other readers as it was', async () => {
    const plain = compose()(buildRecipient())
      .body.toString()
      .replaceAll(/=_[0-9a-f]{24}/g, 'boundary')
    for (const keys of [undefined, [], ['gone']]) {
      const body = compose({ changes })(buildRecipient({ changes: keys })).body.toString()
      expect(body.replaceAll(/=_[0-9a-f]{24}/g, 'boundary')).toBe(plain)
    }
  })
})
