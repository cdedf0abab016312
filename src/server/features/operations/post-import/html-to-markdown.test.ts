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

test('addresses without a protocol, and http addresses of buttons, are kept', () => {
  const html = `<p><a href="//a.example/two">two</a> <img src="//a.example/a.jpg" alt="Till"></p>
<iframe src="//www.youtube.com/embed/abc"></iframe><div class="kg-card kg-bookmark-card"><a href="//a.example/page">Page</a></div>
<div class="kg-card kg-button-card"><a href="http://a.example/book" class="kg-btn">Book</a></div>`
  const { markdown } = htmlToMarkdown(html)
  expect(markdown.split(/\n+/)).toEqual([
    '[two](https://a.example/two) ![Till](https://a.example/a.jpg)',
    '[www.youtube.com](https://www.youtube.com/embed/abc)',
    '[https://a.example/page](https://a.example/page)',
    '[Book](http://a.example/book "button")',
  ])
})

test('a drawing of many shapes isn’t nested, and elements in each other are', () => {
  const shapes = '<path d="M0 0h1"/><circle r="1" />'.repeat(500)
  expect(htmlToMarkdown(`<p>Text</p><svg viewBox="0 0 9 9">${shapes}</svg>`).markdown).toBe('Text')
  expect(() => htmlToMarkdown('<div>'.repeat(401))).toThrow('nested too deeply')
})
