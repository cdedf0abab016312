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

test('of elements that are nested like in no email, the text is still read', () => {
  expect(htmlToText(`<div>Yes.${'<div>'.repeat(30_000)}</div>`)).toBe('Yes.')
})

/** A quadratic step takes minutes for each of these. */
test.each([
  ['nested elements', '<div>'.repeat(100_000)],
  ['elements with a space', 'x<b> </b>'.repeat(60_000)],
  ['attributes', `<p ${Array.from({ length: 90_000 }, (_, at) => `a${at}`).join(' ')}>`],
  [
    'open formatting',
    `<p>${Array.from({ length: 500 }, (_, at) => `<b a=${at}>`).join('')}</p>${'<p>x'.repeat(99_000)}`,
  ],
  ['quotes', '<blockquote>x</blockquote>'.repeat(20_000)],
])('half a megabyte of %s doesn’t hold up the server', { timeout: 20_000 }, (_, html) => {
  expect(htmlToText(html).length).toBeLessThan(100_000)
})
