import { expect, test } from 'vitest'
import { htmlToText } from './html-to-text.ts'

test('HTML becomes lines of text, without scripts, styles and hidden parts of the page', () => {
  const html = `<html><head><title>T</title><style>p{}</style></head><body>
    <p>Hello &amp; thanks,<br>we&nbsp;count <b>twice</b>.</p><script>alert(1)</script>
    <ul><li>Morning</li><li>Night</li></ul></body></html>`
  expect(htmlToText(html).replaceAll('\u00a0', ' ')).toBe('Hello & thanks,\nwe count twice.\n\nMorning\n\nNight')
})

test.each([
  ['Gmail', '<div>Yes.</div><div class="gmail_quote">On Monday A wrote:<blockquote>Twice?</blockquote></div>'],
  ['Apple Mail', '<div>Yes.</div><blockquote type="cite"><div>Twice?</div></blockquote>'],
  ['Outlook', '<div>Yes.</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg">From: A</div><div>Twice?</div>'],
  [
    'Outlook in a table',
    '<div><p>Yes.</p><div><div id="divRplyFwdMsg">From: A</div></div></div><table><td>Twice?</td></table>',
  ],
])('What %s quotes is left out', (_, html) => {
  expect(htmlToText(html)).toBe('Yes.')
})
