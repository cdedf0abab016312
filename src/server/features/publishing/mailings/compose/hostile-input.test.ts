import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import {
  buildContent,
  buildRecipient,
  buildSection,
  emailConfig,
  listSender,
  readableLinks,
  toMimeMessage,
} from '#tests/support/newsletter-email.ts'
import { createComposer } from './composer.ts'

const bits = fc.constantFrom(
  '<script>alert(1)</script>',
  '"><img src=x onerror=y>',
  '{{first_name|x}}',
  '{{name}}',
  '{{',
  '\ue0000\ue001',
  '\ue001',
  '=\r\n',
  '=_',
  '--=_',
  '\r\n.\r\n',
  '\r\nBcc: all@example.com\r\n\r\n',
  '[a](javascript:x)',
  '[a](https://a.example/?{{name}}"onclick=)',
  '![a](/media/x.png)',
  '> - 1. ```\n',
  '\n\n> [!WARNING]\n> ',
  '\n\n[a](https://a.example "button")\n\n',
  `\n\n[![a](/media/${'a'.repeat(64)}.png#1x1)](https://a.example "video")\n\n`,
  '| a | b |\n| --- | --- |\n| c |\n',
  '<!--here-->',
  '<!--[if mso]>',
  '\u202e\u0000\ud83d',
)
const words = fc
  .array(fc.oneof(bits, fc.string({ unit: 'binary', maxLength: 20 })), { maxLength: 8 })
  .map((all) => all.join(''))

const voidTags = /^(?:meta|img|br|hr)\b/

/** Tags that are opened and not closed, or the reverse. */
function unbalanced(html: string): string[] {
  const open: string[] = []
  for (const [, tag = ''] of html.replace(/<!--[\s\S]*?-->|<!doctype[^>]*>/gi, '').matchAll(/<([^>]*)>/g)) {
    const name = /^\/?([\w-]+)/.exec(tag)?.[1] ?? tag
    if (tag.startsWith('/')) {
      if (open.pop() !== name) return [tag]
    } else if (!voidTags.test(tag)) open.push(name)
  }
  return open
}

test('whatever editors and readers write, the email is complete, parseable and free of their markup', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(words, { minLength: 12, maxLength: 12 }), async (written) => {
      const [
        subject,
        preheader,
        title,
        intro,
        heading,
        summary,
        body,
        closing,
        name,
        postalAddress = '',
        question = '',
        answer = '',
      ] = written
      // A section without a heading has no title.
      const sections = [
        buildSection({ heading: `H ${heading}`, summary, body, path: '/portal/a' }),
        buildSection({ body: intro }),
      ]
      const poll = { issueId: 'drop-1', question, answers: [answer, 'Yes'] }
      const content = buildContent({ subject, preheader, title, intro, sections, closing, poll })
      const compose = createComposer({
        content,
        from: { ...listSender, postalAddress },
        config: emailConfig,
        links: readableLinks,
      })
      const message = toMimeMessage(compose(buildRecipient({ name })))
      expect(message.toString('latin1')).not.toMatch(/(?<!\r)\n|\r(?!\n)|[^\t\r\n -~]/)

      const { html = '', text = '', headers, attachments } = await PostalMime.parse(message)
      expect(headers.map(({ key }) => key).sort()).toEqual(
        [
          'from',
          'reply-to',
          'to',
          'subject',
          'date',
          'message-id',
          'list-id',
          'list-unsubscribe',
          'list-unsubscribe-post',
          'feedback-id',
          'mime-version',
          'content-type',
        ].sort(),
      )
      expect(attachments).toEqual([])
      expect(html).not.toMatch(/<script|<img src=x|onclick=\)"|javascript:x"/)
      expect(unbalanced(html)).toEqual([])
      expect(html.match(/<h2/g)).toHaveLength(2)
      expect(html + text).not.toMatch(/[\ue000\ue001]|(?![\t\n\r])\p{Cc}/u)
      expect(html.match(/unsubscribe\?token=7/g)).toHaveLength(1)
      expect(text.match(/unsubscribe\?token=7/g)).toHaveLength(1)
    }),
    { numRuns: 150 },
  )
})
