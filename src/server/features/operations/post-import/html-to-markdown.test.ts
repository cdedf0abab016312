import { expect, test } from 'vitest'
import { htmlToMarkdown } from './html-to-markdown.ts'

test('Ghost’s callout cards and button cards become ours', () => {
  const html = `<p>Before</p>
<div class="kg-card kg-callout-card kg-callout-card-blue"><div class="kg-callout-emoji">💡</div><div class="kg-callout-text">Count <b>twice</b>.</div></div>
<div class="kg-card kg-button-card kg-align-center"><a href="https://a.example/x(1)" class="kg-btn kg-btn-accent">Book [now]</a></div>`
  expect(htmlToMarkdown(html)).toEqual({
    markdown: 'Before\n\n> [!NOTE]\n> Count **twice**.\n\n[Book now](https://a.example/x%281%29 "button")',
    notes: [],
  })
})

test('a button with a script or an address of the source is left out, with a note', () => {
  const card = (href: string) => `<div class="kg-card kg-button-card"><a href="${href}" class="kg-btn">Go</a></div>`
  expect(htmlToMarkdown(`<p>Text</p>${card('javascript:alert(1)')}${card('#/portal/signup')}`)).toEqual({
    markdown: 'Text',
    notes: ['Removed: a link that only works at the source'],
  })
})
